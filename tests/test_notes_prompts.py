"""What was typed at the prompts of a console names the answers, and words before a display are words."""

from __future__ import annotations

from tests.linked import linked


def test_what_was_typed_at_a_prompt_names_its_answer() -> None:
    text = "K = [[1, 0], [0, 1]]\n\nV = [[1, 0], [0, 2]]\n\nQ = [[1, 2], [3, 4]]\n\n```python\n"
    text += ">>> (w @ V).round(2)\narray([[0.33, 1.34],\n       [0.33, 1.34]])\n```\n"
    assert [name for name, *_ in linked(text)] == ["Z"]


def test_a_word_before_a_display_is_no_factor_of_it() -> None:
    text = "Q = [[1, 2]]\nK = [[1, 0], [0, 1]]\nscores = [[1, 2]]\n\n"
    text += "Dividing every entry by $\\sqrt 2$ gives $$\\begin{pmatrix} 0.71 & 1.41 \\end{pmatrix}$$\n"
    assert [name for name, *_ in linked(text)] == ["scores", "scaled"]
