"""The library through the real command: everything comes in, is found, and goes out again."""

import csv
import io
import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import WHET, environment, whet
from tests.flows.terminal import Terminal

pytestmark = pytest.mark.slow

CASES = [
    {"id": "one", "name": "求和", "input": "计算 1 + 1", "expected_output": "2"},
    {"id": "two", "name": "Quote", "input": 'Say "hi, there"\nand bye', "expected_output": "hi"},
]


class Folder:
    """A folder to be in, with a workspace and a home of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [WHET, *arguments],
            cwd=self.root,
            env=environment(HOME=str(self.root / "home")),
            input=given,
            capture_output=True,
            timeout=120,
            check=False,
        )

    def read(self, *arguments: str, given: bytes = b"") -> dict[str, Any]:
        done = self.run(*arguments, "--json", given=given)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def write(self, path: str, text: str | bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)

    def skill(self, path: str, name: str, body: str = "Do it.") -> None:
        self.write(f"{path}/SKILL.md", f"---\nname: {name}\ndescription: d\n---\n{body}\n")


@pytest.fixture
def here(tmp_path: Path) -> Folder:
    (tmp_path / "home").mkdir()
    return Folder(tmp_path)


def packed(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(f"{name}/SKILL.md", f"---\nname: {name}\ndescription: d\n---\nGo.\n")
            archive.writestr(f"{name}/data/table.csv", "a,b\n")
    return buffer.getvalue()


def test_every_form_of_a_skill_comes_in_and_is_found(here: Folder) -> None:
    here.skill("folder", "from-folder")
    here.skill("checkout/skills/one", "from-checkout-1")
    here.skill("checkout/deep/er/two", "from-checkout-2")
    here.skill("home/.claude/skills/mine", "from-home", "始终使用类型注解。")
    here.skill(".codex/skills/ours", "from-here")
    here.write("a.zip", packed("from-zip-1", "from-zip-2"))
    here.write("b.skill", packed("from-skill-file"))
    here.write("text.txt", "Write a docstring.")
    here.write("中文.md", "先校验输入，再写代码。")
    here.write("object.json", json.dumps({"name": "from-json", "content": "x", "purpose": "p"}))
    forms = ("folder", "checkout", "a.zip", "b.skill", "text.txt", "中文.md", "object.json")
    told = here.read("skill", "import", *forms)
    assert told["problems"] == []
    assert {one["outcome"] for one in told["assets"]} == {"created"}
    here.read("skill", "import", "--installed")
    here.read("skill", "import", "-", "--name", "from-stdin", given="说你好".encode())
    expected = {
        *("from-folder", "from-checkout-1", "from-checkout-2", "from-home", "from-here"),
        *("from-zip-1", "from-zip-2", "from-skill-file", "text", "中文", "from-json", "from-stdin"),
    }
    listed = here.read("skill", "list", "--page-size", "50")
    assert {one["name"] for one in listed["items"]} == expected
    assert listed["total"] == len(expected)

    def found(*words: str) -> set[str]:
        hits = here.read("skill", "search", *words)["items"]
        return {hit["asset"]["name"] for hit in hits}

    assert found("校验") == {"中文"}
    assert found("类型", "注解") == {"from-home"}
    assert found("docstr") == {"text"}
    assert found("验校") == set()


def test_every_form_of_a_baseline_comes_in(here: Folder) -> None:
    table = io.StringIO()
    rows = csv.DictWriter(table, list(CASES[0]))
    rows.writeheader()
    rows.writerows(CASES)
    suite = {"skill_name": "s", "evals": [{"id": 1, "prompt": "Go.", "expected_output": "Gone."}]}
    here.write("object.json", json.dumps({"name": "object", "cases": CASES}))
    here.write("list.json", json.dumps(CASES))
    here.write("table.csv", table.getvalue())
    here.write("tabs.tsv", "name\tinput\texpected_output\nA\tGo.\tGone.\n")
    here.write("suite.json", json.dumps(suite))
    here.skill("skill", "with-evals")
    here.write("skill/evals/evals.json", json.dumps(suite | {"skill_name": "with-evals"}))
    forms = ("object.json", "list.json", "table.csv", "tabs.tsv", "suite.json", "skill")
    assert here.read("baseline", "import", *forms)["problems"] == []
    here.read("baseline", "import", "-", "--name", "stdin", given=json.dumps(CASES).encode())
    here.read("baseline", "import", "--empty", "--name", "empty")
    counts = {one["name"]: one["case_count"] for one in here.read("baseline", "list")["items"]}
    files = {"object": 2, "list": 2, "table": 2, "tabs": 1, "s evals": 1, "with-evals evals": 1}
    assert counts == files | {"stdin": 2, "empty": 0}
    (hit,) = here.read("baseline", "search", "with-evals")["items"]
    assert hit["asset"]["name"] == "with-evals evals"


@pytest.mark.parametrize("form", ["zip", "folder"])
def test_what_goes_out_comes_in_the_same(here: Folder, tmp_path: Path, form: str) -> None:
    here.skill("kit", "kit", "Run scripts/run.sh")
    here.write("kit/scripts/run.sh", "#!/bin/sh\nls\n")
    here.write("kit/数据/表.bin", bytes(range(256)))
    (here.root / "kit/scripts/run.sh").chmod(0o755)
    made = here.read("skill", "import", "kit", "--purpose", "代码", "--provider", "me")
    (here.root / "out").mkdir()
    out = here.read("skill", "export", made["id"][:8], "--format", form, "--output", "out")
    other = Folder(tmp_path / "other")
    (other.root / "home").mkdir(parents=True)
    again = other.read("skill", "import", str(here.root / out["path"]), "--purpose", "代码")
    first, second = (Path(one["path"]) / "package" for one in (made, again))
    assert contents(first) == contents(second)
    assert "数据/表.bin" in contents(first)


def contents(folder: Path) -> dict[str, tuple[bytes, bool]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): (path.read_bytes(), os.access(path, os.X_OK))
        for path in files
    }


def test_a_baseline_that_goes_out_comes_in_the_same(here: Folder) -> None:
    here.write("list.json", json.dumps(CASES))
    made = here.read("baseline", "import", "list.json", "--name", "Cases")
    for form in ("json", "csv"):
        done = here.run("baseline", "export", "Cases", "--format", form, "--output", "-")
        assert done.returncode == 0
        assert done.stderr == (b"" if form == "json" else b"whet: left out: name\n")
        again = here.read("baseline", "import", "-", "--name", "Cases", given=done.stdout)
        assert (again["outcome"], again["id"]) == ("unchanged", made["id"]), form


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("skill import - --name X", "the text is empty"),
        ("skill edit X", "an editor needs a terminal"),
        ("skill tag review X", "a review needs a terminal"),
        ("baseline case add X --input-file -", "no baseline 'X'"),
    ],
)
def test_nobody_has_to_listen(here: Folder, arguments: str, says: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" {arguments} <&-', WHET],
        cwd=here.root,
        env=environment(HOME=str(here.root / "home")),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert says in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_bytes_go_to_stdout_as_they_are(here: Folder) -> None:
    here.write("a.zip", packed("kit"))
    here.read("skill", "import", "a.zip")
    whole = here.run("skill", "export", "kit", "--output", "-").stdout
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert archive.testzip() is None
        assert "kit/data/table.csv" in archive.namelist()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("skill", "show", "nobody"), "no skill 'nobody'"),
        (("skill", "import", "gone.zip"), "gone.zip"),
        (("skill", "import", "broken.zip"), "broken.zip"),
        (("skill", "import", "workspace"), "no skill in workspace"),
        (("baseline", "import", "broken.json"), "broken.json"),
        (("skill", "export", "nobody"), "no skill 'nobody'"),
        (("skill", "list", "--sort", "size"), "--sort"),
        (("skill", "search"), "WORDS"),
        (("workspace", "import", "gone"), "is no workspace"),
    ],
)
def test_errors_are_one_line(here: Folder, arguments: tuple[str, ...], says: str) -> None:
    here.write("broken.zip", b"PK\3\4 no zip")
    here.write("broken.json", '{"cases": [{"id": "../x"}, 5]}')
    here.write("workspace/readme.txt", "nothing")
    done = here.run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"whet: ")
    assert done.stderr.count(b"\n") == 1
    assert says in done.stderr.decode()


def test_a_workspace_that_is_a_file(here: Folder) -> None:
    here.write("workspace", "mine")
    done = here.run("skill", "list")
    assert (done.returncode, done.stderr.count(b"\n")) == (3, 1)
    assert b"workspace" in done.stderr


def test_words_are_lit_on_a_terminal_only(here: Folder) -> None:
    here.write("a.md", "Always write a docstring.")
    here.read("skill", "import", "a.md")
    workspace = here.root / "workspace"
    arguments = ("skill", "search", "docstr", "--workspace", workspace)
    code, seen = Terminal(*arguments).ended()
    assert code == 0
    assert "\x1b[1;32mdocstr\x1b[0ming." in seen
    assert "\x1b" not in whet(*arguments).stdout


def test_two_imports_at_once_are_both_there(here: Folder) -> None:
    for name in ("one", "two", "three"):
        here.skill(name, name)
    running = [
        subprocess.Popen(
            [WHET, "skill", "import", name, "--json"],
            cwd=here.root,
            env=environment(HOME=str(here.root / "home")),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for name in ("one", "two", "three")
    ]
    for process in running:
        _, problems = process.communicate(timeout=120)
        assert process.returncode == 0, problems
    names = {one["name"] for one in here.read("skill", "list")["items"]}
    assert names == {"one", "two", "three"}


def test_a_terminal_without_these_characters_gets_the_same_value(here: Folder) -> None:
    here.write("a.md", "说你好 😀")
    here.read("skill", "import", "a.md", "--name", "问候 😀")
    arguments = ("skill", "show", "问候 😀", "--json", "--workspace", here.root / "workspace")
    plain, ascii_only = (whet(*arguments, PYTHONIOENCODING=name) for name in ("utf-8", "ascii"))
    assert ascii_only.stdout.isascii()
    assert json.loads(ascii_only.stdout) == json.loads(plain.stdout)
