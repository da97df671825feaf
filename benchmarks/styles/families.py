"""All styles, family by family, and their documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from benchmarks.notes.documents import Written
from benchmarks.styles import (
    apps,
    assistants,
    blogs,
    chats,
    consoles,
    exams,
    frames,
    homework,
    html,
    languages,
    latex,
    layers,
    lessons,
    longhand,
    markup,
    notebooks,
    pasted,
    plain,
    spoken,
    tables,
    tongues,
    topics,
    variants,
    worksheets,
    zh_chats,
    zh_layers,
    zh_layouts,
    zh_pages,
    zh_plain,
    zh_posts,
    zh_talk,
    zh_tokens,
    zh_words,
)
from benchmarks.styles.style import Style

FAMILIES: Mapping[str, tuple[Style, ...]] = {
    "blogs": blogs.STYLES,
    "chats": chats.STYLES,
    "assistants": assistants.STYLES,
    "spoken": spoken.STYLES,
    "apps": apps.STYLES,
    "latex": latex.STYLES,
    "homework": homework.STYLES,
    "exams": exams.STYLES,
    "lessons": lessons.STYLES,
    "markup": markup.STYLES,
    "HTML": html.STYLES,
    "notebooks": notebooks.STYLES,
    "frames": frames.STYLES,
    "consoles": consoles.STYLES,
    "pasted": pasted.STYLES,
    "plain": plain.STYLES,
    "longhand": longhand.STYLES,
    "tables": tables.STYLES,
    "worksheets": worksheets.STYLES,
    "variants": variants.STYLES,
    "layers": layers.STYLES,
    "topics": topics.STYLES,
    "Chinese posts": zh_posts.STYLES,
    "Chinese chats": zh_chats.STYLES,
    "Chinese words": zh_words.STYLES,
    "Chinese tokens": zh_tokens.STYLES,
    "Chinese pages": zh_pages.STYLES,
    "Chinese talk": zh_talk.STYLES,
    "Chinese plain text": zh_plain.STYLES,
    "Chinese layouts": zh_layouts.STYLES,
    "Chinese layers": zh_layers.STYLES,
    "other languages": languages.STYLES,
    "further languages": tongues.STYLES,
}
STYLES: Mapping[str, Style] = {style.name: style for styles in FAMILIES.values() for style in styles}


def documents(
    count: int, seed: int, names: Collection[str] = tuple(STYLES), *, by_hand: bool = False
) -> Iterator[tuple[str, Written]]:
    """`count` documents of each style, with their families' names; `names` are of styles or families.

    `by_hand` puts one slip of a human kind into each, whose name then stands for the family's.
    """
    for family, styles in FAMILIES.items():
        for style in styles:
            for k in range(count if {family, style.name} & {*names} else 0):
                document = style.document(seed, k, by_hand=by_hand)
                yield document.drafts[0].mistakes[0].code if by_hand else f"**{family}**", document
