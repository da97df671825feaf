"""Words in TeX: every character of user text prints as itself, or as a visible U+XXXX.

Latin Modern and all five Fandol fonts show :func:`shows` in every style that a page uses; other scripts
take fonts of their own (:mod:`symattn.typeset.latex_scripts`), where a missing character would vanish from
the page with nothing but a line in the log.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from symattn.typeset.greek import GREEK
from symattn.typeset.scripts import EMOJI, MARKS, breaks_anywhere, clusters, printable, runs, script_of

_BREAK = "\ufdd0"  # a place to break, which user text cannot have
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "_": r"\_",
    "#": r"\#",
    "$": r"\$",
    "&": r"\&",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "\xa0": "~",
    "␣": r"\textvisiblespace{}",
    _BREAK: _BREAK,
}

_MATHS = {
    "−": "-",
    "×": r"\times",
    "÷": r"\div",
    "±": r"\pm",
    "·": r"\cdot",
    "∗": r"\ast",
    "√": r"\surd",
    "∞": r"\infty",
    "≈": r"\approx",
    "≠": r"\neq",
    "≤": r"\leq",
    "≥": r"\geq",
    "≡": r"\equiv",
    "∈": r"\in",
    "∑": r"\sum",
    "∏": r"\prod",
    "∫": r"\int",
    "→": r"\to",
    "←": r"\leftarrow",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "⇒": r"\Rightarrow",
    "⊤": r"\top",
    "⊙": r"\odot",
    "⋅": r"\cdot",
    "⋯": r"\cdots",
    "∂": r"\partial",
    "∝": r"\propto",
    "′": r"'",
    "ᵀ": r"{}^{\mathsf{T}}",
    "½": r"\tfrac12",
    "¼": r"\tfrac14",
    "¾": r"\tfrac34",
    "²": r"{}^2",
    "³": r"{}^3",
    "¹": r"{}^1",
    **{letter: "{}^" + digit for digit, letter in zip("0456789", "⁰⁴⁵⁶⁷⁸⁹", strict=True)},
    **{letter: "{}_" + str(digit) for digit, letter in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{letter: rf"\{name}" for name, letter in GREEK.items() if letter.islower() and name != "omicron"},
}

_LAST_NUMBER = re.compile(r"(?<=[!-~]) (?=[0-9]{1,2}(?:[.,;:)](?![0-9])|$))")
_SPACES = "\t\n\r\v\f\u2009\u202f\u2028\u2029\u3000"

_LATIN = (
    (0x20, 0x7E),
    (0xA1, 0xAC),
    (0xAE, 0x131),
    (0x134, 0x137),
    (0x139, 0x148),
    (0x14A, 0x165),
    (0x168, 0x17E),
    (0x218, 0x21B),
    (0x1EA0, 0x1EF9),
    (0x2013, 0x2014),
    (0x2018, 0x201A),
    (0x201C, 0x201E),
    (0x2020, 0x2022),
    (0x2026, 0x2026),
    (0x2030, 0x2030),
    (0x20AC, 0x20AC),
)

_EAST_ASIAN = (
    (0x3001, 0x3003),
    (0x3005, 0x3005),
    (0x3007, 0x3011),
    (0x3014, 0x3017),
    (0x3041, 0x3093),
    (0x30A1, 0x30F6),
    (0x30FB, 0x30FB),
    (0xFF01, 0xFF5E),
    (0xFFE5, 0xFFE5),
)

# The ideographs of Fandol (Song, Hei, Kai, Fang, bold Song) that GB 2312 does not have.
_BEYOND_GB2312 = frozenset(
    "亂亞來侖俠倆倉個們倫偉側偵傘備傭傳債傷傾僅僑僕僞僥價儀億儈儉償優儲兒兩凍凱則剛剮創劃劇劉劊劍劑勁動務"
    "勛勝勞勢勵勸匯區協厠厭厲參叢員問啓啞喪喬單喲嗆嗎嗚嘆嘔嘗嘩嘯噴噸嚇嚙嚨嚴囂囑國圍園圓圖團執堅堯報場塊"
    "塗塢塵塹墊墜墮墳墻墾壇壓壘壞壟壩壯壺壽夢夾奪奬奮妝婁婦媽嬌嬰嬸孫學孿寢實寧審寫寬寵寶將專尋對導屢層屬"
    "岡島峽崗嶄嶺嶼巋巒帥師帳帶幀幟幣幫幹幾庫廟廠廢廣廬廳張彈彌彎徑從復徹悶惡惱愛態慘慚慣慫慮慶憂憊憐憑憚"
    "憤憫憲憶懇應懲懶懷懸懼懾戀戰戲挾捨掃掄揀揚揮損搗搶摟摯摳摻撈撓撣撥撫撲撻撾撿擁擄擇擊擋擔據擠擬擯擰擱"
    "擲擴擺擻擾攆攏攔攙攝攢攣攤攪攬敗敵數斂斃斬斷時晝暈暢暫曉曠曬書會東條棗棟棧楊楓業極榮構槍槳樁樂樓標樞"
    "樣樸樹橋機橢檔檢檸檻櫃櫻欄權欽歐歡歲歷歸殘殲殺殻毆氈氣氫淪淵淺渦測渾湯準溝滄滅滌滬滯滲滷滿漁漚漢漣漬"
    "漲漸漿潑潔潤潰澀澆澇澗澤澱濁濃濕濘濟濤濫濰濱濺濾瀉瀕瀝瀾灑灕灘灣灤烏烴無煉煩熒熱熾燈燒燙營燦燭燴燼爍"
    "爐爛爲爺爾牽犢犧狀狹狽猶獄獅獨獰獲獵獸獺獻現瑣瑩瑪環瓊産畝畢畫當疇痙瘋瘍瘡瘧療癟癢癥癬癰癱發皚皺盞盡"
    "監盤盧瞞矚矯硯碩確碼磚礎礙礦礫礬禍禮禱種稱積穎穢穩窩窪窮窺竄竅竈竊竪競筆箋節範築篩簍簡簽簾籃籌籠籬籮"
    "糞糧糾紀約紅紉紋納紐純紗紙級紛紡細紳紹終組絆結絞絡絢給絨統絲絶絹綁綉綏經綜綢綫維綱網綳綴綸綻綽綿緊緑"
    "緒緘緝緞締緣編緩緬緯練縛縣縧縫縮縱縷總績織繕繞繩繪繭繳繹繼續纏纓纖纜罰罷羅義習翹聖聞聯聰聲聳聶職聽聾"
    "肅脅脹腎腦腫腸膚膠膩膽膿臉臍臘臟臨臺與興舉舊艙艦艱艷莊莖莢華萊萬葉葦葷蒼蓋蓮蔣蔭蕩蕪蕭薊薔薦薩藍藝藥"
    "藴藹蘆蘇蘋蘭蘿處虜號虧蝕蝦蝸螞螢蟄蟬蟲蟻蠅蠟蠱蠶蠻衆術衛衝衹裏補裝褲襖襪襯襲見規覓視親覺覽觀觸訂訃計"
    "訊討訓訖記訛訝訟訣訪設許訴診詐評詛詞詢詣試詩詫詭話該詳誅誇認誕誘語誠誡誣誤誦誨説誰課誹誼調諄談請諒論"
    "諜諧諱諷諸諺諾謀謂謄謅謊謎謗謙講謝謡謬謹謾證譏識譚譜譯議譴護譽讀變讒讓讕豈豐貝貞負財貢貧貨販貪貫責貯"
    "貳貴貶買貸費貼貿賀賂賃賄資賈賊賒賓賜賞賠賢賣賤賦質賬賭賴賺購賽贅贈贊贍贏贖贛贜趕趙趨踐踴躊躍躥軀車軋"
    "軌軍軒軟軸較載輔輕輛輝輥輩輪輯輸輻輾輿轄轅轉轍轎轟辦辭辮辯農這連進運過達違遜遞遠適遲遷選遺遼邁還邊邏"
    "郵鄉鄒鄖鄧鄭鄰鄲醖醜醫醬釀釁釋釘針釣釩釺鈉鈍鈎鈔鈕鈞鈣鈴鈾鉀鉑鉗鉚鉛鉢鉸鉻銀銅銑銘銜銥銷銹銻鋁鋅鋇鋒"
    "鋤鋪鋭鋸鋼錐錘錠錢錦錨錫錯録錳鍁鍋鍍鍘鍛鍬鍵鍺鎂鎊鎖鎢鎬鎮鎳鏈鏟鏡鐐鐘鐮鐳鐵鑄鑒鑰鑲鑷鑼鑽鑿長門閃閉"
    "開閏閑間閘閡閣閥閨閩閲閹閻闊闌闖關闡陝陣陰陳陸陽隊階隕際隨險隱隴隸雖雙雛雜離難雲電霧靈鞏韋韌韓響頁頂"
    "頃項順須頌預頑頒頓頗領頤頭頰頸頻頽顆題額顔願顛類顧顫顯顱顴風飄飛飯飲飼飽飾餃餅養餌餒餓餘餞餡館餾饅饋"
    "饑饒饞馬馭馮馱馳馴駁駐駒駕駛駝駡駭駱駿騁騎騙騰騷騾驅驕驗驚驟驢骯體鬆鬥鬧鬱魚魯鮑鮮鯉鯨鰓鱉鱗鳥鳳鳴鴉"
    "鴕鴛鴦鴨鴻鴿鵑鵝鵬鵲鶴鷄鷗鷹鹼鹽麗麥點黨齊齋齒齡齲龍龐龔龜"
)


_LONGEST_LABEL = 16.0  # em
_OTHER_SCRIPT = 0.8  # em
_SYLLABLES = re.compile(rf"[^/_.:,;=&?-]{{1,8}}[{MARKS}]*[/_.:,;=&?-]?|[/_.:,;=&?-]")
_UNBROKEN = re.compile(r"[^\s\u2e80-\uffff]{17,}")


def escape(words: str) -> str:
    """User text for TeX's text mode (also inside \\text): it prints as it was typed.

    Line breaks and tabs become spaces; what no font shows becomes U+XXXX. Dashes and quotes do not
    form ligatures with each other, so `--` stays two hyphens.
    """
    composed = unicodedata.normalize("NFC", words)
    spaced = "".join(" " if character in _SPACES else character for character in composed)
    out = "".join(_run(script, text) for script, text in runs(in_scripts(spaced)))
    for pair in ("--", ",,", "''"):
        while pair in out:
            out = out.replace(pair, pair[0] + r"\/" + pair[1])
    return out


def escape_prose(words: str) -> str:
    """User text in running prose: as `escape`, and a long run without spaces may break anywhere."""
    broken = escape(_UNBROKEN.sub(_breakable, held(words.replace(_BREAK, ""))))
    return re.sub(r"(?<=\S)(?=\\texttt\{U\+)", r"\\allowbreak ", broken).replace(_BREAK, r"\allowbreak ")


def held(words: str) -> str:
    """A short number stays on the line of its noun where it ends a clause: `weight 0.`"""
    return _LAST_NUMBER.sub("\xa0", words)


def shortened(label: str, widest: float = _LONGEST_LABEL) -> str:
    """A label of at most so many em, without its middle: a long token must not push its matrix aside."""
    parts = list(clusters(label))
    wide = [sum(map(_em, part)) for part in parts]
    if sum(wide) <= widest:
        return label
    first, last, room = 0, len(parts), widest - 1.0
    while room > 0:
        side = 2 * first > 3 * (len(parts) - last)  # three fifths stand before the dots
        room -= wide[last - 1] if side else wide[first]
        first, last = first + (not side and room > 0), last - (side and room > 0)
    return f"{''.join(parts[:first])}…{''.join(parts[last:])}"


def _em(character: str) -> float:
    em = estimated_em(character)
    return 0.6 if em is None else em


def shows(character: str) -> bool:
    """Whether the fonts of a standalone document have the character."""
    code = ord(character)
    if any(low <= code <= high for low, high in (*_LATIN, *_EAST_ASIAN)):
        return True
    return 0x4E00 <= code <= 0x9FFF and _is_ideograph_of_fandol(character)


def estimated_em(character: str) -> float | None:
    """The width of a character that is not set in the text font: CJK, another script, mathematics, U+XXXX."""
    if shows(character):
        return 1.0 if is_east_asian(character) else None
    if unicodedata.category(character) == "Mn" or character in "\u200c\u200d":
        return 0.0
    if character in _MATHS or is_east_asian(character):
        return 1.0
    sure = printable(character) and script_of(character) != EMOJI
    return _OTHER_SCRIPT if sure else 0.55 * len(f"U+{ord(character):04X}")


def is_east_asian(character: str) -> bool:
    """Whether the character is set in the CJK font, one em wide."""
    return ord(character) >= 0x2E80


@cache
def _is_ideograph_of_fandol(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return character in _BEYOND_GB2312
    return True


def in_scripts(words: str) -> Iterator[tuple[str, str]]:
    """Each character with its marks, or plain words, and the script of the font, "" for the page's own."""
    if words.isascii() and words.isprintable():
        yield "", words
        return
    for cluster in clusters(words):
        base = cluster[0]
        plain = shows(base) or base in _MATHS or base == "\xa0"
        here = len(cluster) == 1 and plain and script_of(base) != "greek"
        yield ("" if here or not printable(base) else script_of(base)), cluster


def may_be_cut(word: str) -> bool:
    """Whether a long word may break anywhere: no two of its letters join or share a place."""
    return all(breaks_anywhere(script) for script, _ in in_scripts(word) if script)


def _run(script: str, text: str) -> str:
    if not script or text in _MATHS:
        return "".join(map(_one, text))
    return rf"\sascript{{{script}}}{{{text}}}"


def _breakable(found: re.Match[str]) -> str:
    run = found.group()
    return _BREAK.join(_SYLLABLES.findall(run)) if may_be_cut(run) else run


def _one(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _MATHS:
        return f"${_MATHS[character]}$"
    return character if shows(character) else rf"\texttt{{U+{ord(character):04X}}}"
