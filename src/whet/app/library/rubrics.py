"""Rubrics of baselines: what a project would refuse is told when it is set."""

from whet.core.errors import UsageError
from whet.documents.rubrics import QualityRubric


def rubric_notes(rubric: str | QualityRubric | None) -> tuple[str, ...]:
    """Why no project could be graded by it."""
    if rubric is None:
        return ()
    from whet.evaluate.project_cases import NO_RUBRIC  # large; lists and views grade nothing
    from whet.evaluate.rubrics import named_rubric, read_rubric

    if rubric == NO_RUBRIC:
        return ()
    if isinstance(rubric, QualityRubric):
        return tuple(read_rubric(rubric, "rubric")[1])
    try:
        named_rubric(rubric)
    except UsageError as error:
        return (str(error),)
    return ()
