"""Every rule finds what it is there for, where it is, and nothing in a good skill."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.curate.lint.samples import GOOD, found, make, rules, with_front, write
from whet.curate.lint.body import tokens
from whet.curate.lint.registry import MOST, RULES, lint

HOME = "/ho" + "me/carol/notes.txt"
DESCRIBED = "description: Says hello. Use when somebody comes in."
NAMED = f"name: greet\n{DESCRIBED}"
KEY = "sk-" + "ant-" + "api03-Zx7Qv2Lm9Rt4Wk1Pn8Bc5Yd3"


def front(text: str) -> Callable[[Path], Path]:
    return lambda folder: with_front(folder, text)


def body(text: str) -> Callable[[Path], Path]:
    return lambda folder: with_front(folder, NAMED, text)


def files(**content: str | bytes) -> Callable[[Path], Path]:
    return lambda folder: make(folder, **content)


def named(name: str, content: str | bytes = "x") -> Callable[[Path], Path]:
    return lambda folder: write(folder / "greet", {"SKILL.md": GOOD, name: content})


def linked(to: str) -> Callable[[Path], Path]:
    def made(folder: Path) -> Path:
        skill = make(folder, there_md="x")
        (skill / "link.md").symlink_to(to)
        return skill

    return made


def with_pipe(folder: Path) -> Path:
    skill = make(folder)
    os.mkfifo(skill / "pipe")
    return skill


def executable(folder: Path) -> Path:
    skill = make(folder, scripts__run_py="print()\n")
    (skill / "scripts/run.py").chmod(0o755)
    return skill


def deep(folder: Path) -> Path:
    return named("/".join("d" * 70) + "/x.md")(folder)


CASES: dict[str, list[tuple[Callable[[Path], Path], str, int]]] = {
    "SK001": [(lambda folder: write(folder / "greet", {"skill.md": GOOD}), "SKILL.md", 1)],
    "SK002": [
        (named("SKILL.md", "# Greet\n"), "SKILL.md", 1),
        (named("SKILL.md", f"---\n{NAMED}\n\nSay hello.\n"), "SKILL.md", 1),
        (named("SKILL.md", "\n" + GOOD), "SKILL.md", 1),
    ],
    "SK003": [
        (front(f"{NAMED}: and more"), "SKILL.md", 3),
        (front(f'{NAMED}\nlicense: "MIT'), "SKILL.md", 4),
        (front(f"{NAMED}\nmetadata:\n\ta: b"), "SKILL.md", 5),
        (front(f"{NAMED}\nlicense: @mit"), "SKILL.md", 4),
        (front(f"{NAMED}\njust a line"), "SKILL.md", 4),
    ],
    "SK004": [
        (front(f"{NAMED}\nname: greet"), "SKILL.md", 4),
        (front(f"{NAMED}\nmetadata:\n  a: b\n  a: c"), "SKILL.md", 6),
        (front(f"{NAMED}\nmetadata: {{a: b, a: c}}"), "SKILL.md", 4),
    ],
    "SK005": [(front(f"{NAMED}\nversion: '1'"), "SKILL.md", 4)],
    "SK006": [
        (front(f"name: 12\n{DESCRIBED}"), "SKILL.md", 2),
        (front(f"{NAMED}\nlicense: 2.0"), "SKILL.md", 4),
        (front(f"{NAMED}\nlicense: yes"), "SKILL.md", 4),
        (front(f"{NAMED}\nlicense:"), "SKILL.md", 4),
        (front(f"{NAMED}\nlicense: [MIT]"), "SKILL.md", 4),
        (front(f"{NAMED}\nmetadata: text"), "SKILL.md", 4),
        (front(f"{NAMED}\nallowed-tools: [Read, 1]"), "SKILL.md", 4),
        (front(f"{NAMED}\nallowed-tools:\n  a: b"), "SKILL.md", 4),
    ],
    "SK007": [
        (front(f"{NAMED}\nmetadata:\n  author: a\n  version: 1.0"), "SKILL.md", 6),
        (front(f"{NAMED}\nmetadata: {{version: 1.0}}"), "SKILL.md", 4),
    ],
    "SK008": [(front(f"{NAMED}\nlicense: MIT  "), "SKILL.md", 4)],
    "SK009": [
        (front(f"{NAMED}\ncompatibility: {'x' * 501}"), "SKILL.md", 4),
        (front(f"{NAMED}\ncompatibility: ''"), "SKILL.md", 4),
    ],
    "SK101": [
        (front(DESCRIBED), "SKILL.md", 1),
        (front(f"{DESCRIBED}\nname: ''"), "SKILL.md", 3),
        (front(f"{DESCRIBED}\nname:"), "SKILL.md", 3),
    ],
    "SK102": [
        (front(f"name: {name}\n{DESCRIBED}"), "SKILL.md", 2)
        for name in ("Greet", "-greet", "greet-", "gr--eet", "gr_eet", "grüß", "a b", "a" * 65)
    ],
    "SK103": [(front(f"name: welcome\n{DESCRIBED}"), "SKILL.md", 2)],
    "SK111": [
        (front("name: greet"), "SKILL.md", 1),
        (front("name: greet\ndescription: ' '"), "SKILL.md", 3),
    ],
    "SK112": [(front(f"name: greet\ndescription: when {'x' * 1020}"), "SKILL.md", 3)],
    "SK113": [(front("name: greet\ndescription: Use when <b> is there."), "SKILL.md", 3)],
    "SK114": [(front("name: greet\ndescription: Greetings."), "SKILL.md", 3)],
    "SK115": [(front("name: greet\ndescription: Use when asked for issue #3."), "SKILL.md", 3)],
    "SK201": [(body(" \n"), "SKILL.md", 4)],
    "SK202": [(body("x\n" * 500), "SKILL.md", 5)],
    "SK203": [(body("four" * 5001), "SKILL.md", 5)],
    "SK204": [(files(references__long_md="# A\n" + "x\n" * 300), "references/long.md", 1)],
    "SK301": [
        (body("See [this](references/gone.md).\n"), "SKILL.md", 5),
        (body("x\n![a](img/gone.png)\n"), "SKILL.md", 6),
        (body("[a]: gone.md\n"), "SKILL.md", 5),
        (files(references__a_md="x\n\n[b](b.md)\n"), "references/a.md", 3),
    ],
    "SK302": [
        (body("Run it:\n\n```bash\npython scripts/gone.py x\n```\n"), "SKILL.md", 8),
        (body("Read `references/gone.md`.\n"), "SKILL.md", 5),
    ],
    "SK303": [
        (body(f"[a]({target})\n"), "SKILL.md", 5)
        for target in ("../other/SKILL.md", "/etc/hosts", "file:///etc/hosts", "~/x.md", "C:/x.md")
    ],
    "SK401": [(files(scripts__run_py="#!/usr/bin/env python3\n"), "scripts/run.py", 1)],
    "SK402": [
        (executable, "scripts/run.py", 1),
        (files(scripts__run_sh="ls\n"), "scripts/run.sh", 1),
    ],
    "SK501": [
        (files(tool=b"\x7fELF\0\0"), "tool", 1),
        (files(a_png=b"\x7fELF\0\0"), "a.png", 1),
        (files(data_bin=b"\xff\xfe"), "data.bin", 1),
    ],
    "SK502": [(files(a_csv="x" * (1024 * 1024 + 1)), "a.csv", 1)],
    "SK503": [(deep, "SKILL.md", 1)],
    "SK504": [(linked("there.md"), "link.md", 1)],
    "SK505": [(linked(to), "link.md", 1) for to in ("../../x", "/etc/hosts", "link.md")],
    "SK506": [(with_pipe, "pipe", 1)],
    "SK507": [(named("a\\b.md"), "a\\b.md", 1), (named("a\x1b.md"), "a\x1b.md", 1)],
    "SK508": [(named(name), name, 1) for name in ("aux.md", "a:b.md", "a./b.md", "skill.md")],
    "SK509": [(files(evals__evals_json="{}"), "evals", 1)],
    "SK510": [
        (named(".git/config"), ".git", 1),
        (named("scripts/__pycache__/a.pyc"), "scripts/__pycache__", 1),
        (named(".DS_Store"), ".DS_Store", 1),
    ],
    "SK601": [(body(f"x\nkey = {KEY}\n"), "SKILL.md", 6)],
    "SK602": [(named(".env", "A=1"), ".env", 1), (named("keys/id_rsa"), "keys/id_rsa", 1)],
    "SK603": [(body("api_key = 'hK3dP9xQ2vLm7RtZ5wNc'\n"), "SKILL.md", 5)],
    "SK701": [(named("SKILL.md", GOOD.replace("\n", "\r\n")), "SKILL.md", 1)],
    "SK702": [(named("SKILL.md", "\ufeff" + GOOD), "SKILL.md", 1)],
    "SK703": [(named("a.md", "\ufeffx"), "a.md", 1), (body("x\ny\ufeffz\n"), "SKILL.md", 6)],
    "SK704": [(named("a.md", b"x\n\xff"), "a.md", 2), (named("a.md", b"x\n\0"), "a.md", 2)],
    "SK705": [(body(f"x\nRead {HOME}\n"), "SKILL.md", 6)],
    "SK706": [
        (body("x\ny\u202ez\n"), "SKILL.md", 6),
        (body("\U000e0041\U000e0042\n"), "SKILL.md", 5),
    ],
}


def test_a_good_skill_has_no_findings(tmp_path: Path) -> None:
    skill = make(
        tmp_path,
        scripts__run_sh="#!/usr/bin/env bash\nls\n",
        scripts__part_py="x = 1\n",
        references__a_md="# A\n\n[b](b.md), [root](references/b.md), [up](../SKILL.md)\n",
        references__b_md="# B\n",
        assets__logo_png=b"\x89PNG\0",
        assets__page_md="[elsewhere](docs/other.md)\n",
        LICENSE="MIT",
    )
    (skill / "scripts/run.sh").chmod(0o755)
    text = GOOD.replace(
        "---\n\nSay",
        "license: MIT\ncompatibility: Needs git\nmetadata:\n  author: me\n  version: '1.0'\n"
        "allowed-tools: Bash(git:*) Read\n---\n\nSay",
    )
    links = (
        "[a](references/a.md#top 'title') [b](<references/b.md>) [web](https://x.invalid/y)\n"
        "[here](#say) <me@x.invalid> [mail](mailto:me@x.invalid) [tree](references/)\n"
        "`[code](gone.md)` [stand-in](path/to/file.md)\n\n```md\n[fenced](gone.md)\n```\n"
        "Run scripts/run.sh and ./scripts/part.py, or my/scripts/other.py.\n"
    )
    (skill / "SKILL.md").write_text(text + links)
    assert lint(skill).findings == ()


def test_every_rule_is_tried_here() -> None:
    assert set(CASES) == {rule.id for rule in RULES}


def test_ids_and_names_tell_rules_apart() -> None:
    assert len({rule.id for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.what.endswith(".")
        assert rule.why.endswith(".")
        assert rule.fix


@pytest.mark.parametrize(
    ("rule", "make_skill", "path", "line"),
    [(rule, *case) for rule, cases in CASES.items() for case in cases],
)
def test_a_rule_finds_it_where_it_is(
    tmp_path: Path, rule: str, make_skill: Callable[[Path], Path], path: str, line: int
) -> None:
    assert (rule, path, line) in found(make_skill(tmp_path))


@pytest.mark.parametrize(
    ("front_matter", "rule"),
    [
        (f"name: greet\ndescription: when {'x' * 1019}", "SK112"),
        (f"{NAMED}\ncompatibility: {'x' * 500}", "SK009"),
        (f"name: {'a' * 64}\n{DESCRIBED}", "SK102"),
        (f"name: a1-b2\n{DESCRIBED}", "SK102"),
        (f"{NAMED}\nallowed-tools:\n- Bash(git:*)\n- Read", "SK006"),
        ("name: greet\ndescription: '问候。当有人进来时使用。'", "SK114"),
        ('name: greet\ndescription: "Use when asked for issue #3."', "SK115"),
        (f"name: greet # short\n{DESCRIBED}", "SK115"),
        (f'{NAMED}\nmetadata: {{"other": "x"}}', "SK007"),
    ],
)
def test_what_is_just_allowed_is_not_found(tmp_path: Path, front_matter: str, rule: str) -> None:
    assert rule not in rules(with_front(tmp_path, front_matter))


@pytest.mark.parametrize(
    ("text", "rule"),
    [("x\n" * 499, "SK202"), ("four" * 5000, "SK203"), ("/ho" + "me/user/x\n", "SK705")],
)
def test_a_body_just_within_the_limits_is_fine(tmp_path: Path, text: str, rule: str) -> None:
    assert rule not in rules(with_front(tmp_path, NAMED, text))


@pytest.mark.parametrize("top", ["## Contents\n", "# 目录\n", "- [a](#a)\n- [b](#b)\n- [c](#c)\n"])
def test_a_long_file_may_have_a_table_of_contents(tmp_path: Path, top: str) -> None:
    skill = make(tmp_path, references__long_md="# Long\n\n" + top + "x\n" * 400)
    assert rules(skill) == set()


def test_one_broken_key_does_not_hide_the_others(tmp_path: Path) -> None:
    skill = with_front(tmp_path, "name: [\ndescription: It is: broken\nlicense: 1\nnoone: x")
    assert rules(skill) == {"SK003", "SK005", "SK006"}


def test_a_key_with_a_slip_is_guessed(tmp_path: Path) -> None:
    skill = with_front(tmp_path, f"{NAMED}\nallowed_tools: Read")
    assert "did you mean allowed-tools?" in lint(skill).findings[0].message


def test_many_findings_of_a_kind_are_counted(tmp_path: Path) -> None:
    skill = with_front(tmp_path, NAMED, f"{HOME}\n" * (MOST + 30))
    findings = lint(skill).findings
    assert len(findings) == MOST
    assert findings[-1].message.endswith("(and 30 more like it in this file)")


def test_a_long_name_is_not_repeated(tmp_path: Path) -> None:
    findings = lint(with_front(tmp_path, f"name: {'a' * 10_000}\n{DESCRIBED}")).findings
    assert all(len(one.message) < 300 for one in findings)


def test_a_version_of_the_library_has_another_folder_name(tmp_path: Path) -> None:
    package = make(tmp_path).rename(tmp_path / "package")
    assert rules(package) == {"SK103"}
    (tmp_path / "meta.json").write_text("{}")
    assert rules(package) == set()


def test_a_file_that_may_be_executed_by_others_only_is_not_executable(tmp_path: Path) -> None:
    skill = make(tmp_path, scripts__run_py="#!/usr/bin/env python3\n")
    (skill / "scripts/run.py").chmod(stat.S_IRUSR | stat.S_IXOTH)
    assert "SK401" in rules(skill)


def test_tokens_are_estimated_by_script() -> None:
    assert tokens("") == 0
    assert tokens("word" * 3) == 3
    assert tokens("问候词") == 2
