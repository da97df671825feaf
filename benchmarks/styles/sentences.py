"""What the examples are about: sentences cut into tokens."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "en": (
        ("I", "love", "cats"),
        ("the", "cat", "sat"),
        ("Time", "flies", "fast"),
        ("we", "like", "tea"),
        ("deep", "learning", "rocks"),
        ("she", "reads", "books"),
        ("birds", "can", "fly"),
        ("money", "bank", "river"),
        ("hello", "world"),
        ("good", "morning"),
        ("red", "apple"),
        ("I", "am", "here", "now"),
    ),
    "zh": (
        ("我", "爱", "猫"),
        ("今天", "天气", "好"),
        ("猫", "坐", "垫子"),
        ("机器", "学习"),
        ("深度", "学习", "有趣"),
        ("她", "喜欢", "音乐"),
        ("北京", "是", "首都"),
        ("小", "狗"),
        ("我", "喜欢", "苹果"),
        ("人工", "智能"),
        ("我", "吃", "苹果", "派"),
        ("cat", "sat", "mat"),
    ),
    "zh-Hant": (
        ("我", "愛", "你"),
        ("貓", "坐", "著"),
        ("今天", "天氣", "很好"),
        ("機器", "翻譯"),
        ("你好", "世界"),
        ("台北", "下雨", "了"),
    ),
    "de": (("Der", "Hund", "bellt"), ("Ich", "lerne"), ("Katze", "schläft", "heute")),
    "fr": (("le", "chat", "dort"), ("je", "mange"), ("Paris", "est", "belle")),
    "es": (("el", "gato", "duerme"), ("yo", "como"), ("la", "casa", "roja")),
    "ru": (("я", "люблю", "кошек"), ("кот", "спит"), ("дом", "у", "реки")),
    "pt": (("eu", "gosto", "gatos"), ("olá", "mundo"), ("o", "gato", "dorme")),
    "it": (("io", "mangio", "pane"), ("ciao", "mondo"), ("il", "gatto", "dorme")),
    "pl": (("ja", "lubię", "koty"), ("witaj", "świecie"), ("kot", "śpi", "dobrze")),
    "tr": (("ben", "kedi", "severim"), ("merhaba", "dünya"), ("kedi", "evde", "uyur")),
    "vi": (("tôi", "yêu", "mèo"), ("xin", "chào"), ("con", "mèo", "ngủ")),
    "nl": (("ik", "hou", "katten"), ("hallo", "wereld"), ("de", "kat", "slaapt")),
    "uk": (("я", "люблю", "котів"), ("привіт", "світе"), ("кіт", "спить", "вдома")),
    "ko": (("나는", "고양이", "좋아"), ("오늘", "날씨")),
    "ja": (("私", "は", "猫"), ("今日", "晴れ"), ("犬", "が", "走る")),
}
