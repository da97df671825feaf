"""Said rather than written: a comment in a forum, a lecture's transcript, letters, stories in percentages."""

from __future__ import annotations

from benchmarks.styles.sheet import Sheet
from benchmarks.styles.style import Style
from benchmarks.styles.tasks import Task
from benchmarks.styles.text import NEWLINE, block, paragraphs, pipes


def comment(s: Sheet) -> str:
    """A comment that explains one token at length and the other in bullets."""
    times = s.pick(r"\*", "*", "x", " × ")
    first, second = s.tokens
    values = [s.v("V", j, used=True) for j in range(2)]
    a, b = s.row("scores", 0)
    c, d = s.row("scaled", 0)
    e, f = s.row("A", 0)
    vectors = [
        f"* {token}: " + ", ".join(f"{n.lower()} = {s.v(n, i)}" for n in "QKV")
        for i, token in enumerate(s.tokens)
    ]
    told = [
        "ELI5 version with actual numbers, because I had the same problem in CS224N lol.",
        f"Two tokens, **{first}** and **{second}**:",
        NEWLINE.join(f"    {token} = {s.v('X', i)}" for i, token in enumerate(s.tokens)),
        "Three matrices (random, don't overthink it):",
        NEWLINE.join(f"    W{n.lower()} = {s.m(f'W_{n}')}" for n in "QKV"),
        "Multiply each token with each matrix:",
        NEWLINE.join(vectors),
        f"Now say we're at **{first}**. How much does it care about",
        f"* itself: {s.dot('Q', 0, 'K', 0, times)} = {a}\n* {second}: {s.dot('Q', 0, 'K', 1, times)} = {b}",
        f"Divide by sqrt({s.d_k}) because reasons: {c} and {d}.",
    ]
    if s.prints("exp"):
        g, h = s.row("exp", 0)
        told.append(f"exp: {g} and {h}, sum {s.r('sum', 0, 0)}.")
    bullets = {"scores": "scores", "scaled": "scaled", "softmax": "A"}
    return paragraphs(
        *told,
        f"Softmax: {e} and {f}.",
        f"So the new vector for **{first}** is {s.weighed(0, values, times)} = {s.v('Z', 0)}.",
        f"Same for **{second}**:",
        NEWLINE.join(f"* {said} {', '.join(s.row(name, 1))}" for said, name in bullets.items())
        + f"\n* result {s.v('Z', 1)}",
        "EDIT: wow, 200 upvotes, thanks. EDIT 2: fixed typo",
    )


def transcript(s: Sheet) -> str:
    """A transcript with times, every number in a spoken sentence."""
    around, seconds = s.pick("[]", "()"), 3

    def at(words: str) -> str:
        nonlocal seconds
        seconds += s.rng.randrange(5, 40)
        return f"[00:{seconds // 60:02d}:{seconds % 60:02d}] {words}"

    def v(name: str, i: int, used: bool = False) -> str:
        return s.v(name, i, around, used=used)

    first, second = s.tokens
    told = [
        at(f'All right, so last time we did RNNs. Today two tokens, "{first}" and "{second}".'),
        at(f"The embedding for {first} is {v('X', 0)}, and for {second} it's {v('X', 1)}."),
    ]
    for n, said in zip("QKV", ("query", "key", "value"), strict=True):
        told.append(at(f"The {said} matrix, W_{n}, on the board here, is {s.m(f'W_{n}')}."))
    for i, token in enumerate(s.tokens):
        query, key, value = (v(n, i) for n in "QKV")
        told.append(at(f"So the query for {token} is {query}, the key is {key}, and the value is {value}."))
    for i, token in enumerate(s.tokens):
        a, b = s.row("scores", i)
        c, d = s.row("scaled", i)
        e, f = s.row("A", i)
        g, h = s.row("A", i, True)
        told += [
            at(f"Now for {token}, the score with {first} is {a} and with {second} it's {b}."),
            at(f"We divide by square root of {s.d_k}, which gives us {c} and {d}."),
            at(f"And then softmax, so the weights are {e} and {f}."),
            at(
                f"So the output for {token} is {g} times {v('V', 0, True)} plus {h} times {v('V', 1, True)},"
                f" which is {v('Z', i)}."
            ),
        ]
    told.append(at("Questions? [inaudible] No, that will not be on the final, which is 30% of the grade."))
    return paragraphs("Lecture 9 transcript (auto-generated, lightly edited)", *told)


def mail_thread(s: Sheet) -> str:
    """An answer below quoted lines, with headers and a signature."""
    quote = s.pick("> ", ">")
    asked = [
        "How do I get from the embeddings to the output?",
        f"We have x1 = {s.v('X', 0)} and x2 = {s.v('X', 1)}",
        *(f"and W{n.lower()} = {s.m(f'W_{n}')}" for n in "QKV"),
    ]
    projected = [f"  {n.lower()}{i + 1} = {s.v(n, i)}" for n in "QKV" for i in range(2)]
    scores = [[f"  q{i + 1}.k{j + 1} = {s.r('scores', i, j)}" for j in range(2)] for i in range(2)]
    a, b = s.row("scaled", 0)
    c, d = s.row("A", 0)
    rest = [
        f"  scaled: {', '.join(s.row('scaled', 1))}",
        f"  softmax: {', '.join(s.row('A', 1))}",
        f"  z2 = {s.v('Z', 1)}",
    ]
    return paragraphs(
        "From: ta@cs.example.edu\nTo: student@example.edu\nSubject: Re: [CS224n] question 3",
        "Hi,",
        NEWLINE.join(quote + line for line in asked),
        "ok, first you need the projections. I get",
        NEWLINE.join(projected),
        "Then for x1:",
        NEWLINE.join(scores[0]),
        f"Dividing by sqrt({s.d_k}): {a} and {b}, then softmax: {c} and {d}.",
        f"so z1 = {s.weighed(0, [' v1', ' v2'], '')} = {s.v('Z', 0)}.",
        "Likewise for x2:",
        NEWLINE.join([*scores[1], *rest]),
        "Office hours are Thu 2-3pm in room 5.14.",
        "Best,\nSam\n-- \nTeaching Assistant, phone 555-0142",
    )


def named_lines(s: Sheet) -> str:
    """A line for everything: Query for 'cat', Score between 'cat' and 'sat'."""
    form, bullet = s.pick("'{}'", '"{}"', "{}"), s.pick("- ", "* ", "")
    end = "  " if s.ending == "md" and not bullet else ""
    tokens = [form.format(token) for token in s.tokens]

    def each(said: str, name: str) -> str:
        return NEWLINE.join(
            f"{bullet}{said} for {token}: {s.v(name, i)}{end}" for i, token in enumerate(tokens)
        )

    full = {"Q": "Query", "K": "Key", "V": "Value"}
    scores = [
        f"{bullet}Score between {a} and {b}: {s.r('scores', i, j)}{end}"
        for i, a in enumerate(tokens)
        for j, b in enumerate(tokens)
    ]
    return paragraphs(
        f"Sentence: {s.said(' ')}",
        each("Embedding", "X"),
        *(f"{said} weight matrix: {s.m(f'W_{n}')}" for n, said in full.items()),
        *(each(said, n) for n, said in full.items()),
        NEWLINE.join(scores),
        f"After dividing by sqrt(d_k) = sqrt({s.d_k}):",
        each("Scaled scores", "scaled"),
        each("Softmax", "A"),
        each("Context vector", "Z"),
    )


def chains(s: Sheet) -> str:
    """A chain of arrows for each pair, score to weight, which is explained once in parentheses."""
    arrow, end = s.pick(" → ", " -> ", " => "), "  " if s.ending == "md" else ""
    names = ("scores", "scaled", "exp", "A")

    def pair(i: int, j: int) -> str:
        return f"{s.tokens[i]}·{s.tokens[j]}: {arrow.join(s.r(name, i, j) for name in names)}{end}"

    def vectors(i: int) -> str:
        return f"{s.tokens[i]}{arrow}{' '.join(f'{n.lower()}={s.v(n, i)}' for n in 'QKV')}{end}"

    tokens = range(s.n)
    pairs = [block(*(pair(i, j) for j in tokens), f"Σexp = {s.r('sum', i, 0)}{end}") for i in tokens]
    return paragraphs(
        NEWLINE.join(f"{s.tokens[i]}{arrow}{s.v('X', i)}{end}" for i in tokens),
        NEWLINE.join(f"W{n.lower()} = {s.m(f'W_{n}')}{end}" for n in "QKV"),
        NEWLINE.join(map(vectors, tokens)),
        f"(score{arrow}/√{s.d_k}{arrow}exp{arrow}weight)",
        *pairs,
        NEWLINE.join(f"out({s.tokens[i]}) = {s.v('Z', i)}{end}" for i in tokens),
    )


def shares(s: Sheet) -> str:
    """Who gives how much of its attention to whom, in percent and in sentences."""

    def scores(i: int) -> str:
        pairs = zip(s.row("scores", i), s.row("scaled", i), strict=True)
        return f"- {s.tokens[i]}: {', '.join(f'{a} → {b}' for a, b in pairs)}"

    def given(i: int) -> str:
        told = [f"{a} of its attention to {token}" for a, token in zip(s.row("A", i), s.tokens, strict=True)]
        return f"- **{s.tokens[i]}** gives {', '.join(told)}."

    def weights(n: str) -> str:
        heads = [f"{n.lower()}{j + 1}" for j in range(s.shape(f"W_{n}")[1])]
        return f"**W_{n}**\n\n{pipes(heads, s.rows(f'W_{n}'))}"

    vectors = [[token, *(s.v(n, i, "()") for n in "QKV")] for i, token in enumerate(s.tokens)]
    return paragraphs(
        "# Who pays attention to whom?",
        pipes(["word", "embedding"], [[token, s.v("X", i, "()")] for i, token in enumerate(s.tokens)], ":--"),
        *map(weights, "QKV"),
        pipes(["word", "query", "key", "value"], vectors),
        f"Scores (query · key), divided by √{s.d_k}:",
        NEWLINE.join(map(scores, range(s.n))),
        "After softmax:",
        NEWLINE.join(map(given, range(s.n))),
        "New representations:",
        NEWLINE.join(f"- {token}: {s.v('Z', i, '()')}" for i, token in enumerate(s.tokens)),
    )


TWO = Task(n=(2,), d_k=(2,), places=(2, 3))

STYLES = (
    Style(comment, Task(n=(2,), d_k=(2,), places=(2, 3), exp=(True, False))),
    Style(transcript, TWO, ("txt", "md")),
    Style(mail_thread, TWO, ("txt",)),
    Style(named_lines, Task(n=(2, 3)), ("md", "txt")),
    Style(chains, Task(n=(2, 3), exp=(True,)), ("md", "txt")),
    Style(shares, Task(n=(3,), d_k=(2, 4), percent=True)),
)
