"""Step by step in other languages, some of which write their decimals with a comma."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, paragraphs


@dataclass(frozen=True)
class Words:
    """What the steps are called; {} is d_k in `scaling`, and a token in `output_of` and `row_of`."""

    title: str
    inputs: str
    weights: str
    projections: str
    scores: str
    scaling: str
    softmax: str
    output: str
    sum: str
    attention: str
    output_of: str
    row_of: str
    comma: bool = True  # in decimals


WORDS = {
    "de": Words(
        "Selbstaufmerksamkeit Schritt für Schritt",
        "Schritt 1: Eingabe",
        "Schritt 2: Gewichtsmatrizen",
        "Schritt 3: Query, Key und Value berechnen",
        "Schritt 4: Scores",
        "Schritt 5: Skalierung (geteilt durch √{})",
        "Schritt 6: Softmax",
        "Schritt 7: Ausgabe",
        "Summe",
        "Aufmerksamkeitsgewichte",
        "Die Ausgabe für „{}“ ist also",
        "Für „{}“",
    ),
    "fr": Words(
        "L'auto-attention pas à pas",
        "Étape 1 : l'entrée",
        "Étape 2 : matrices de poids",
        "Étape 3 : calcul de Q, K et V",
        "Étape 4 : scores",
        "Étape 5 : mise à l'échelle (division par √{})",
        "Étape 6 : softmax",
        "Étape 7 : sortie",
        "somme",
        "Poids d'attention",
        "La sortie pour « {} » est donc",
        "Pour « {} »",
    ),
    "es": Words(
        "Autoatención paso a paso",
        "Paso 1: entrada",
        "Paso 2: matrices de pesos",
        "Paso 3: cálculo de Q, K y V",
        "Paso 4: puntuaciones",
        "Paso 5: escalado (dividir entre √{})",
        "Paso 6: softmax",
        "Paso 7: salida",
        "suma",
        "Pesos de atención",
        'La salida para "{}" es',
        'Para "{}"',
    ),
    "ru": Words(
        "Самовнимание шаг за шагом",
        "Шаг 1. Вход",
        "Шаг 2. Матрицы весов",
        "Шаг 3. Вычисляем Q, K, V",
        "Шаг 4. Оценки внимания",
        "Шаг 5. Масштабирование (делим на √{})",
        "Шаг 6. Softmax",
        "Шаг 7. Выход",
        "сумма",
        "Веса внимания",
        "Выход для слова «{}» равен",
        "Для слова «{}»",
    ),
    "ko": Words(
        "셀프 어텐션 계산 예제",
        "1단계: 입력",
        "2단계: 가중치 행렬",
        "3단계: Q, K, V 계산",
        "4단계: 어텐션 스코어",
        "5단계: 스케일링 (√{}로 나눔)",
        "6단계: 소프트맥스",
        "7단계: 출력",
        "합",
        "어텐션 가중치",
        '따라서 "{}"의 출력은',
        '"{}"의 경우',
        comma=False,
    ),
    "ja": Words(
        "セルフアテンションの計算例",
        "ステップ1：入力",
        "ステップ2：重み行列",
        "ステップ3：Q、K、Vの計算",
        "ステップ4：スコア",
        "ステップ5：スケーリング（√{}で割る）",
        "ステップ6：ソフトマックス",
        "ステップ7：出力",
        "合計",
        "注意の重み",
        "したがって「{}」の出力は",
        "「{}」について",
        comma=False,
    ),
}


def steps(s: Sheet) -> str:
    """Seven steps: displays, lists, or rows of blanks in fences; semicolons part decimals with a comma."""
    words = WORDS[s.draft.lang]
    form = s.pick("tex", "list", "bare") if words.comma else s.pick("tex", "list", "list")
    if words.comma:
        mark = "{,}" if form == "tex" and s.maybe(0.4) else ","
        s.spell = lambda number: number.replace(".", mark)
    between = ", "
    if words.comma:
        between = s.pick("  ", "; ") if form == "bare" else "; "
    around = "()" if form == "bare" else "[]"

    def v(name: str, i: int, used: bool = False) -> str:
        return s.v(name, i, around, between, used)

    def show(name: str, said: str) -> str:
        if form == "tex":
            return f"$$\n{said} = {s.tex(name, s.pick('pmatrix', 'bmatrix'), NEWLINE)}\n$$"
        if form == "list":
            return f"{said} = {s.m(name, around, between)}"
        return f"{said}:\n\n```\n" + NEWLINE.join("  ".join(row) for row in s.rows(name)) + "\n```"

    def scores() -> list[str]:
        told = []
        for i, j in [(i, j) for i in range(s.n) for j in range(s.n) if s.maybe(0.6)]:
            product = s.dot("Q", i, "K", j, s.pick(" · ", "×", " × "))
            told.append(f"- q_{i + 1} · k_{j + 1} = {product} = {s.r('scores', i, j)}")
        return told

    def softmax(i: int) -> str:
        exps = between.join(s.row("exp", i))
        told = [f"- exp: {exps}", f"- {words.sum}: {s.r('sum', i, 0)}", f"- softmax: {v('A', i)}"]
        return f"{words.row_of.format(s.tokens[i])}:\n\n{NEWLINE.join(told)}"

    def output(i: int) -> str:
        return f"z_{i + 1} = {s.weighed(i, [v('V', j, True) for j in range(s.n)], ' · ')} = {v('Z', i)}"

    return paragraphs(
        f"# {words.title}",
        s.said(" "),
        f"## {words.inputs}",
        show("X", "X"),
        f"## {words.weights}",
        *(show(f"W_{n}", f"W_{n}") for n in "QKV"),
        f"## {words.projections}",
        *(show(n, n) for n in "QKV"),
        f"## {words.scores}",
        NEWLINE.join(scores()),
        show("scores", "QK^T"),
        f"## {words.scaling.format(s.d_k)}",
        show("scaled", r"\frac{QK^T}{\sqrt{d_k}}" if form == "tex" else "QK^T/√d_k"),
        f"## {words.softmax}",
        *map(softmax, range(s.n)),
        f"{words.attention}:",
        show("A", "A"),
        f"## {words.output}",
        *map(output, range(s.n)),
        show("Z", "Z"),
        f"{words.output_of.format(s.tokens[0])} {v('Z', 0)}.",
    )


TASK = Task(
    n=(2, 3),
    d_model=(2, 3, 3, 4),
    d_k=(2, 2, 3),
    d_v=(0, 0, 2),
    inputs=(1,),
    places=(2, 2, 3, 4),
    exp=(True,),
)

STYLES = tuple(Style(steps, TASK, lang=lang) for lang in WORDS)
