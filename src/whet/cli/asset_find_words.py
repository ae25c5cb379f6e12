"""What the commands that find and show assets say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.ports.entry import Place
from whet.ports.listing import Kind


@dataclass(frozen=True)
class FindWords:
    """Headings, marks and sentences; names in braces are filled in."""

    columns: dict[str, str]
    """Of tables and of the fields of an asset, by their names in JSON."""

    values: dict[str, str]
    """What a field says, where that is one of a few words."""

    edited_outside: str
    pending: str
    simulated: str
    outdated: str
    extent: str
    next_page: str
    no_page: str
    broken: str
    none_broken: str
    empty: dict[Kind, str]
    none_fit: str
    nothing_found: str
    places: dict[Place, str]
    facets: dict[str, str]
    no_facet: str
    newest_of: str
    version_of: str
    package: str
    best: str
    no_best: str
    executable: str
    headings: dict[str, str]
    more_text: str
    more: str
    problem: str


ENGLISH = FindWords(
    columns={
        "id": "id",
        "name": "name",
        "purpose": "purpose",
        "provider": "provider",
        "version": "version",
        "tags": "tags",
        "pending_tags": "proposed tags",
        "cases": "cases",
        "updated_at": "updated",
        "created_at": "created",
        "best_score": "best",
        "type": "type",
        "status": "status",
        "description": "description",
        "author": "author",
        "source": "source",
        "path": "folder",
        "category": "category",
        "input": "input",
        "made_from": "made from",
        "rubric": "rubric",
    },
    values={
        "active": "active",
        "archived": "archived",
        "standard": "standard",
        "boundary": "boundary",
        "exception": "exception",
    },
    edited_outside="edited outside",
    pending="proposed tags: {count}",
    simulated="simulated",
    outdated="outdated",
    extent="{first}–{last} of {total}",
    next_page="the next page: --page {page}",
    no_page="There is no page {page}: {total} in all.",
    broken="Folders that cannot be read: {count}. They are listed by: {command}",
    none_broken="Every folder can be read.",
    empty={
        "skill": (
            "There is no skill yet. Take some in: {command} PATH, or those that your agents have: "
            "{command} --installed"
        ),
        "baseline": (
            "There is no baseline yet. Take one in: {command} PATH, a JSON or CSV file or a skill "
            "with evals, or begin one: {command} --empty --name NAME"
        ),
    },
    none_fit="Nothing fits.",
    nothing_found="Nothing was found.",
    places={
        "name": "name",
        "description": "description",
        "tags": "tags",
        "content": "content",
        "cases": "cases",
    },
    facets={"purposes": "purpose", "providers": "provider", "tags": "tag"},
    no_facet="none",
    newest_of="{version}, the newest of {count}",
    version_of="{version} of {count}, the newest is {newest}",
    package="{type}, a package of files: {count}",
    best="{score} on {baseline}, tests: {count}",
    no_best="none yet, tests: {count}",
    executable="executable",
    headings={
        "versions": "Versions",
        "files": "Files",
        "content": "Text",
        "cases": "Cases",
        "input": "Input",
        "expected_output": "Expected",
    },
    more_text=CountedText(
        "… --content shows all of it: {lines:line|lines}, {characters:character|characters}"
    ),
    more="… and {count} more; see {command}",
    problem="problem",
)

CHINESE = FindWords(
    columns={
        "id": "id",
        "name": "名称",
        "purpose": "用途",
        "provider": "来源方",
        "version": "版本",
        "tags": "标签",
        "pending_tags": "待审标签",
        "cases": "用例",
        "updated_at": "更新时间",
        "created_at": "创建时间",
        "best_score": "最高分",
        "type": "类型",
        "status": "状态",
        "description": "描述",
        "author": "作者",
        "source": "出处",
        "path": "文件夹",
        "category": "类别",
        "input": "输入",
        "made_from": "由此重组",
        "rubric": "评分标准",
    },
    values={
        "active": "使用中",
        "archived": "已归档",
        "standard": "标准",
        "boundary": "边界",
        "exception": "异常",
    },
    edited_outside="在外部被修改",
    pending="待审标签：{count}",
    simulated="模拟",
    outdated="已过期",
    extent="第 {first}–{last} 项，共 {total} 项",
    next_page="下一页：--page {page}",
    no_page="没有第 {page} 页：共 {total} 项。",
    broken="有 {count} 个文件夹无法读取。查看：{command}",
    none_broken="所有文件夹都可以读取。",
    empty={
        "skill": (
            "还没有技能。导入技能：{command} PATH；导入智能体已安装的技能：{command} --installed"
        ),
        "baseline": (
            "还没有基线。导入基线：{command} PATH（JSON 或 CSV 文件，或带 evals 的技能）；"
            "新建空基线：{command} --empty --name NAME"
        ),
    },
    none_fit="没有符合条件的条目。",
    nothing_found="没有找到。",
    places={
        "name": "名称",
        "description": "描述",
        "tags": "标签",
        "content": "内容",
        "cases": "用例",
    },
    facets={"purposes": "用途", "providers": "来源方", "tags": "标签"},
    no_facet="无",
    newest_of="{version}，共 {count} 个版本中最新的",
    version_of="{version}，共 {count} 个版本，最新为 {newest}",
    package="{type}，文件包，文件数：{count}",
    best="{score}，基线：{baseline}，测试次数：{count}",
    no_best="尚无，测试次数：{count}",
    executable="可执行",
    headings={
        "versions": "版本",
        "files": "文件",
        "content": "正文",
        "cases": "用例",
        "input": "输入",
        "expected_output": "期望",
    },
    more_text="… 用 --content 显示全文：{lines} 行，{characters} 个字符",
    more="… 还有 {count} 个，见 {command}",
    problem="问题",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
