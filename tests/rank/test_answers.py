"""Two answers to one case, side by side."""

from tests.rank.sides import FAILED, case, key_of, result, side
from whet.curate.text_difference import between_texts
from whet.documents.project import SkillRef
from whet.rank.answers import answers

SKILL: SkillRef = side("a", {"1": [1]}).skill


def test_two_answers_side_by_side() -> None:
    left = result(SKILL, key_of("1"), 80, actual_output="one\ntwo\n", score_reasoning="Good.")
    right = result(SKILL, key_of("1"), FAILED, actual_output="one\n2\n", error="timeout")
    found = answers(case("1"), 2, left, right, ("Writer v1", "Writer v2"))
    assert found.text.unified == "--- Writer v1\n+++ Writer v2\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    assert [row.kind for row in found.text.rows] == ["equal", "changed"]
    assert (found.case_name, found.input, found.expected_output) == ("Case 1", "Do 1.", "Done.")
    assert (found.left.score, found.left.reasoning, found.attempt) == (80, "Good.", 2)
    assert (found.right.score, found.right.status, found.right.error) == (None, "failed", "timeout")


def test_the_same_answer_has_no_difference() -> None:
    one = result(SKILL, key_of("1"), 80)
    assert answers(case("1"), 1, one, one, ("a", "b")).text.unified == ""


def test_a_name_cannot_add_lines_to_the_diff() -> None:
    found = between_texts("a", "b", ("x\n+y", "z\r\n@@"))
    assert found.unified.startswith("--- x +y\n+++ z @@\n@@ -1 +1 @@\n")
