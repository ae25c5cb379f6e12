"""What a first suite says: evals of several kinds, queries and the rubric, in English."""

from collections.abc import Mapping
from dataclasses import dataclass

RESULT = "result.md"

Kind = tuple[str, str, str, tuple[str, ...]]
"""Name, prompt, expected output, expectations. ``{task}`` is what the skill is for, ``{part}`` a
part of it and ``{rule}`` a rule, both as SKILL.md has them."""

Scoring = Mapping[str, tuple[float, str, tuple[str, str, str]]]
"""Weight, description and the anchors 1, 3 and 5 of each dimension."""


@dataclass(frozen=True)
class StarterWords:
    """The texts of one language."""

    note: str
    task: str
    kinds: tuple[Kind, ...]
    """Of what the skill is for."""

    by_part: Kind
    by_rule: Kind
    negative: tuple[Kind, Kind]
    """Of what it is not for: nothing is to be made."""

    result_there: str
    nothing_made: str
    queries: tuple[tuple[str, bool], ...]
    """And whether each should trigger; ``{words}`` is the name of the skill in words."""

    scoring: Scoring


ENGLISH = StarterWords(
    note=(
        "A draft by whet eval init. Put requests of your users in place of the prompts, and say in "
        "expectations and checks what only good work has. Then delete this note."
    ),
    task="I need your help with this: {topic}",
    kinds=(
        (
            "A typical task",
            (
                "{task}\n\nTake a small, typical example of it and do the work completely. "
                "Save the result as result.md."
            ),
            "result.md holds finished work on a typical example.",
            (
                "The result is the finished work, not a plan or an offer to do it.",
                "The example is a typical one, and all details in it fit together.",
            ),
        ),
        (
            "Details are missing",
            (
                "{task}\n\nI have not told you the details. Choose sensible ones, do the work, and "
                "save the result as result.md, with a list of what you assumed at its end."
            ),
            "result.md holds finished work and the assumptions behind it.",
            (
                "The result is the finished work, and asks nothing back.",
                "The assumptions are listed at the end, and the work agrees with them.",
            ),
        ),
        (
            "A simple and a difficult case",
            (
                "{task}\n\nDo it twice: for a simple case and for a difficult one, where something "
                "gets in the way. Save both in result.md, each under a heading of its own."
            ),
            "result.md holds finished work on both cases.",
            (
                "Both cases are there, each under a heading of its own.",
                "What makes the second case difficult is named and dealt with.",
            ),
        ),
        (
            "Something in the request is wrong",
            (
                "{task}\n\nMake up a request for it with one mistake or contradiction in "
                "it, handle it "
                "as you should, and save the request and what you made of it in result.md."
            ),
            "result.md names the mistake and deals with it.",
            (
                "The mistake in the request is named plainly.",
                "What is delivered does not rest on the mistake.",
            ),
        ),
        (
            "A tight limit",
            (
                "{task}\n\nDo it on a small example, in at most 200 words or 40 lines altogether. "
                "Save the result as result.md."
            ),
            "result.md holds finished work within the limit.",
            (
                "The result keeps to the limit of 200 words or 40 lines.",
                "Nothing that matters was left out to keep the limit.",
            ),
        ),
        (
            "For somebody who is new to it",
            (
                "{task}\n\nDo it on a small example for somebody who has never seen such "
                "work: save "
                "the result as result.md, with one sentence on each decision you took."
            ),
            "result.md holds finished work, each decision with its reason.",
            (
                "The result is finished work, not a lesson about it.",
                "Each decision has a reason that fits this example.",
            ),
        ),
        (
            "Checked before it is handed over",
            (
                "{task}\n\nDo it on a typical example, check the result against what such "
                "work has to "
                "fulfil, mend what is wrong, and save result and check in result.md."
            ),
            "result.md holds the mended result and an honest check.",
            (
                "The check names what was looked at, point by point.",
                "What the check says is true of the result.",
            ),
        ),
        (
            "A second round",
            (
                "{task}\n\nDo it on a small example. Then suppose that the person who asked "
                "wants one "
                "thing changed, change only that, and save both versions in result.md."
            ),
            "result.md holds both versions, which differ in that one thing.",
            (
                "The wish for a change is stated.",
                "The second version differs from the first only as the wish demands.",
            ),
        ),
        (
            "Several at once",
            "{task}\n\nDo it for three different small examples, and save all three in result.md.",
            "result.md holds finished work on three examples.",
            (
                "There are three examples, and they differ in something that matters.",
                "Each of the three is finished.",
            ),
        ),
        (
            "For somebody in a hurry",
            (
                "{task}\n\nDo it on a typical example. Save it as result.md with one "
                "sentence at the top "
                "for somebody who reads nothing else."
            ),
            "result.md begins with one sentence that is true of the finished work below it.",
            (
                "The first sentence says what matters, and is true of the work below.",
                "The work below is finished.",
            ),
        ),
    ),
    by_part=(
        "Part: {part}",
        (
            "{task}\n\nThis time it is about “{part}” above all. Do it completely on a small "
            "example and save the result as result.md."
        ),
        "result.md holds finished work in which “{part}” is done well.",
        (
            "What belongs to “{part}” is done completely.",
            "The result is the finished work, not a description of it.",
        ),
    ),
    by_rule=(
        "Rule: {rule}",
        (
            "{task}\n\nDo it on a small example in which it would be easy to forget some "
            "detail, and "
            "save the result as result.md."
        ),
        "result.md holds finished work that keeps to: {rule}",
        (
            "The result keeps to this: {rule}",
            "The result is the finished work, not a plan or an offer to do it.",
        ),
    ),
    negative=(
        (
            "Not for the skill: a question about the subject",
            "Answer in one sentence and make no file: what is “{words}” in general?",
            "One sentence, and no file.",
            (
                "The answer is one sentence that says what it is in general.",
                "No work was begun that nobody asked for.",
            ),
        ),
        (
            "Not for the skill: something else",
            "Answer in one line and make no file: what is 17 times 23?",
            "391, in one line, and no file.",
            ("The answer is 391.", "The answer is one line, without any work on another subject."),
        ),
    ),
    result_there="The result is there",
    nothing_made="Nothing was made that nobody asked for",
    queries=(
        ("I need your help with this: {topic}", True),
        ("Can you do some {words} for me? It has to be finished today.", True),
        ("My colleague usually takes care of {words}, but is away. Please take over.", True),
        ("What does “{words}” mean? One sentence is enough.", False),
        ("What is the capital of Australia?", False),
        ("Translate “good morning” into French.", False),
    ),
    scoring={
        "correctness": (
            2.0,
            "What the result says and does is right, also in its details.",
            (
                "The main point is wrong, or it does not work.",
                "The main point is right; there are errors that somebody has to find and mend.",
                "No error that a careful expert would find.",
            ),
        ),
        "completeness": (
            1.5,
            "Everything that was asked for is there, to the end.",
            (
                "Most of it is missing, or only announced.",
                "The main part is there; something that was asked for is missing or cut short.",
                "Every part of the request is there and finished.",
            ),
        ),
        "instruction_fidelity": (
            1.5,
            "The request was followed as it was put: form, place, limits, and nothing unasked for.",
            (
                "The request was ignored or replaced by another one.",
                "Followed on the whole; one limit or wish was missed, or something was added.",
                "Followed to the letter, and in spirit where the letter leaves it open.",
            ),
        ),
        "usability": (
            1.0,
            "Whoever asked can use the result as it is.",
            (
                "It would have to be done again.",
                "Usable after some rework.",
                "Usable at once; clear, in order, of the right length.",
            ),
        ),
    },
)
