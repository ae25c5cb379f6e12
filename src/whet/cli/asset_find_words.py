"""What the commands that find and show assets say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class FindWords(Words):
    """Headings, marks and sentences; names in braces are filled in."""

    columns = Both(
        {
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
        {
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
    )
    """Of tables and of the fields of an asset, by their names in JSON."""

    values = Both(
        {
            "active": "active",
            "archived": "archived",
            "standard": "standard",
            "boundary": "boundary",
            "exception": "exception",
        },
        {
            "active": "使用中",
            "archived": "已归档",
            "standard": "标准",
            "boundary": "边界",
            "exception": "异常",
        },
    )
    """What a field says, where that is one of a few words."""

    edited_outside = Both("edited outside", "在外部被修改")
    pending = Both("proposed tags: {count}", "待审标签：{count}")
    simulated = Both("simulated", "模拟")
    outdated = Both("outdated", "已过期")
    extent = Both("{first}–{last} of {total}", "第 {first}–{last} 项，共 {total} 项")
    next_page = Both("the next page: --page {page}", "下一页：--page {page}")
    no_page = Both("There is no page {page}: {total} in all.", "没有第 {page} 页：共 {total} 项。")
    broken = Both(
        "Folders that cannot be read: {count}. They are listed by: {command}",
        "有 {count} 个文件夹无法读取。查看：{command}",
    )
    none_broken = Both("Every folder can be read.", "所有文件夹都可以读取。")
    empty = Both(
        {
            "skill": (
                "There is no skill yet. Take some in: {command} PATH, or those that "
                "your agents have: "
                "{command} --installed"
            ),
            "baseline": (
                "There is no baseline yet. Take one in: {command} PATH, a JSON or CSV file "
                "or a skill "
                "with evals, or begin one: {command} --empty --name NAME"
            ),
        },
        {
            "skill": (
                "还没有技能。导入技能：{command} PATH；"
                "导入智能体已安装的技能：{command} --installed"
            ),
            "baseline": (
                "还没有基线。导入基线：{command} PATH（JSON 或 CSV 文件，或带 evals 的技能）；"
                "新建空基线：{command} --empty --name NAME"
            ),
        },
    )
    none_fit = Both("Nothing fits.", "没有符合条件的条目。")
    nothing_found = Both("Nothing was found.", "没有找到。")
    places = Both(
        {
            "name": "name",
            "description": "description",
            "tags": "tags",
            "content": "content",
            "cases": "cases",
        },
        {
            "name": "名称",
            "description": "描述",
            "tags": "标签",
            "content": "内容",
            "cases": "用例",
        },
    )
    facets = Both(
        {"purposes": "purpose", "providers": "provider", "tags": "tag"},
        {"purposes": "用途", "providers": "来源方", "tags": "标签"},
    )
    no_facet = Both("none", "无")
    newest_of = Both("{version}, the newest of {count}", "{version}，共 {count} 个版本中最新的")
    version_of = Both(
        "{version} of {count}, the newest is {newest}",
        "{version}，共 {count} 个版本，最新为 {newest}",
    )
    package = Both("{type}, a package of files: {count}", "{type}，文件包，文件数：{count}")
    best = Both(
        "{score} on {baseline}, tests: {count}", "{score}，基线：{baseline}，测试次数：{count}"
    )
    no_best = Both("none yet, tests: {count}", "尚无，测试次数：{count}")
    executable = Both("executable", "可执行")
    headings = Both(
        {
            "versions": "Versions",
            "files": "Files",
            "content": "Text",
            "cases": "Cases",
            "input": "Input",
            "expected_output": "Expected",
        },
        {
            "versions": "版本",
            "files": "文件",
            "content": "正文",
            "cases": "用例",
            "input": "输入",
            "expected_output": "期望",
        },
    )
    more_text = Both(
        CountedText(
            "… --content shows all of it: {lines:line|lines}, {characters:character|characters}"
        ),
        "… 用 --content 显示全文：{lines} 行，{characters} 个字符",
    )
    more = Both("… and {count} more; see {command}", "… 还有 {count} 个，见 {command}")
    problem = Both("problem", "问题")
