"""How a projection is computed under the settings of a case: X W, X W^T, or W x for each token."""

from __future__ import annotations

from symattn.attention.settings import Settings
from symattn.plans.ops.project import Project, ProjectVectors


def projection(settings: Settings, biases: int = 0) -> Project:
    """X W, X W^T or W x for each token, as the settings have it, plus the bias where there is one."""
    kind = ProjectVectors if settings.weights == "left" else Project
    return kind(settings.transposes_weights, biases)
