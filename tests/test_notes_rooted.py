"""Scores that are printed divided by a root: which number is the root, and what they are called."""

from __future__ import annotations

from tests.linked import accused, remarks


def test_scores_over_the_root_of_the_width_of_the_queries_are_scaled_where_no_keys_are_named() -> None:
    text = r"""
$\mathbf{q} = [1,0,1]^\top$; $\mathbf{x}_1 = [1,0,0]^\top$, $\mathbf{x}_2 = [0,1,0]^\top$; $\sqrt{d} = 1.732$.

$$s_t = \frac{\mathbf{q}^\top\mathbf{x}_t}{\sqrt{d}}$$

$$s = \left[\frac{1}{1.732},\ \frac{0}{1.732}\right] = [\,\mathbf{0.577},\ \mathbf{0}\,]$$

$$e^{0.577} = 1.781, \qquad e^{0} = 1.000, \qquad \sum = 2.781$$

$$a = \left[\frac{1.781}{2.781},\ \frac{1.000}{2.781}\right] = [\,\mathbf{0.640},\ \mathbf{0.360}\,]$$
"""
    assert remarks(text) == []


def test_a_wrong_score_does_not_keep_the_others_of_its_row_from_being_divided() -> None:
    given = "q = [1, 2]\n\nk_1 = [1, 0], k_2 = [2, 1], k_3 = [0, 3]\n\nThe scores, divided by √2:\n\n"
    rows = "".join(f"a_{k} = q · k_{k} = {x}\n\n" for k, x in enumerate(("{}", "2.828", "4.243"), start=1))
    assert accused((given + rows).format("0.707")) == []
    assert [each.split()[1] for each in accused((given + rows).format("2.121"))] == ["2.121"]
