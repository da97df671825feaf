"""Facts follow from what computes a matrix, never from its name."""

from __future__ import annotations

from msgspec.structs import replace

from symattn.casefile.case_file import parse_case
from symattn.checks.facts import facts
from symattn.exact.matrix import Matrix
from symattn.exact.number import Exact
from symattn.plans.derive import derive
from symattn.plans.ops.products import Scores, WeightedSum
from symattn.plans.ops.scale import Scale
from symattn.plans.plan import Line, Plan
from symattn.result import work

GIVEN = {"Q": Matrix.rational([[1, 2], [0, 1]]), "K": Matrix.rational([[1, 0], [3, 1]])}


def of_weights(plan: Plan) -> list[str]:
    return [
        fact.kind for fact in facts(derive(plan, GIVEN)) if fact.kind in ("order", "sums-to-one", "entropy")
    ]


def test_a_product_that_is_named_like_weights_gets_no_fact_about_weights() -> None:
    lying = (Line("scores", Scores(), ("Q", "K")), Line("A", Scale(Exact.of(2)), ("scores",)))
    assert of_weights(lying) == []
    assert of_weights((Line("A", WeightedSum(), ("Q", "K")),)) == []


def test_weights_of_another_name_get_theirs() -> None:
    worked = work(parse_case("[given]\nscores = [[1, 2]]\nV = [[1], [2]]\n[attention]\nscale = '1'\n"))
    walk = worked.derivation
    plan = tuple(replace(line, name="map") if line.name == "A" else line for line in walk.plan[:-1])
    kinds = [fact.kind for fact in facts(derive(plan, walk.given)) if fact.name == "map"]
    assert kinds == ["sums-to-one", "order", "log-sum-exp", "entropy"]


def test_the_page_says_that_weights_keep_the_order_of_scores_only_where_they_do() -> None:
    text = "[given]\nscores = [[1, 2]]\nV = [[1], [2]]\n[attention]\nscale = '1'\nbase = "
    assert "The weights are in the order of the scores" in work(parse_case(f'{text}"2"\n')).text()
    below = " ".join(work(parse_case(f'{text}"1/2"\n')).text().split())
    assert "the weights are in the reverse order of the scores" in below
