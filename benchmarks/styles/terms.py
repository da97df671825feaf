"""What further languages call the steps of an example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """What a language calls things; {} stands for tokens, or for d_k in `division`, or for a row's number."""

    title: str
    sentence: str
    inputs: str
    weights: str
    projections: str
    kinds: tuple[str, str, str]
    scores: str
    product: str
    division: str
    attention: str
    weights_of: str
    outputs: str
    output_of: str
    vector_of: str  # {0} is the token, {1} the kind
    matrix: str
    row: str


TERMS: Mapping[str, Terms] = {
    "pt": Terms(
        "Autoatenção calculada à mão",
        "Considere a frase “{}”.",
        "Vetores de entrada",
        "Matrizes de pesos",
        "Cálculo de consultas, chaves e valores",
        ("consulta", "chave", "valor"),
        "Pontuações de atenção (produto escalar)",
        "Produto escalar de “{}” e “{}”",
        "Dividindo por √{}",
        "Pesos de atenção (softmax)",
        "Pesos de “{}”",
        "Vetores de saída",
        "Saída de “{}”",
        "Vetor {1} de “{0}”",
        "Matriz",
        "Linha {}",
    ),
    "it": Terms(
        "Self-attention calcolata a mano",
        "Consideriamo la frase «{}».",
        "Vettori di ingresso",
        "Matrici dei pesi",
        "Calcolo di query, chiavi e valori",
        ("query", "chiave", "valore"),
        "Punteggi di attenzione (prodotto scalare)",
        "Prodotto scalare tra «{}» e «{}»",
        "Dividiamo per √{}",
        "Pesi di attenzione (softmax)",
        "Pesi di «{}»",
        "Vettori di uscita",
        "Uscita di «{}»",
        "Vettore {1} di «{0}»",
        "Matrice",
        "Riga {}",
    ),
    "pl": Terms(
        "Samouwaga krok po kroku",
        "Rozważmy zdanie „{}”.",
        "Wektory wejściowe",
        "Macierze wag",
        "Obliczamy zapytania, klucze i wartości",
        ("zapytanie", "klucz", "wartość"),
        "Wyniki uwagi (iloczyn skalarny)",
        "Iloczyn skalarny „{}” i „{}”",
        "Dzielimy przez √{}",
        "Wagi uwagi (softmax)",
        "Wagi dla „{}”",
        "Wektory wyjściowe",
        "Wyjście dla „{}”",
        "Wektor {1} dla „{0}”",
        "Macierz",
        "Wiersz {}",
    ),
    "tr": Terms(
        "Öz-dikkat mekanizmasını elle hesaplayalım",
        "Cümlemiz: “{}”.",
        "Girdi vektörleri",
        "Ağırlık matrisleri",
        "Sorgu, anahtar ve değer hesabı",
        ("sorgu", "anahtar", "değer"),
        "Dikkat skorları (iç çarpım)",
        "“{}” ve “{}” iç çarpımı",
        "√{} ile bölüyoruz",
        "Dikkat ağırlıkları (softmax)",
        "“{}” için ağırlıklar",
        "Çıktı vektörleri",
        "“{}” çıktısı",
        "“{0}” {1} vektörü",
        "Matris",
        "Satır {}",
    ),
    "vi": Terms(
        "Tính self-attention bằng tay",
        "Xét câu “{}”.",
        "Vector đầu vào",
        "Ma trận trọng số",
        "Tính query, key, value",
        ("query", "key", "value"),
        "Điểm chú ý (tích vô hướng)",
        "Tích vô hướng của “{}” và “{}”",
        "Chia cho √{}",
        "Trọng số chú ý (softmax)",
        "Trọng số của “{}”",
        "Vector đầu ra",
        "Đầu ra của “{}”",
        "Vector {1} của “{0}”",
        "Ma trận",
        "Hàng {}",
    ),
    "nl": Terms(
        "Self-attention met de hand uitgerekend",
        "We bekijken de zin ‘{}’.",
        "Invoervectoren",
        "Gewichtsmatrices",
        "Berekening van query, key en value",
        ("query", "key", "value"),
        "Aandachtsscores (inproduct)",
        "Inproduct van ‘{}’ en ‘{}’",
        "Delen door √{}",
        "Aandachtsgewichten (softmax)",
        "Gewichten voor ‘{}’",
        "Uitvoervectoren",
        "Uitvoer voor ‘{}’",
        "{1}-vector van ‘{0}’",
        "Matrix",
        "Rij {}",
    ),
    "uk": Terms(
        "Самоувага: рахуємо вручну",
        "Розглянемо речення «{}».",
        "Вхідні вектори",
        "Матриці ваг",
        "Обчислюємо запити, ключі та значення",
        ("запит", "ключ", "значення"),
        "Оцінки уваги (скалярний добуток)",
        "Скалярний добуток «{}» і «{}»",
        "Ділимо на √{}",
        "Ваги уваги (softmax)",
        "Ваги для «{}»",
        "Вихідні вектори",
        "Вихід для «{}»",
        "Вектор «{1}» для «{0}»",
        "Матриця",
        "Рядок {}",
    ),
}
