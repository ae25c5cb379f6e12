"""What ``whet package`` says, in the languages it speaks."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class PackageWords(Words):
    """Headings and sentences; names in braces are filled in."""

    actions = Both(
        {
            "install": "installed {skill_id} {version} as {library_version}",
            "update": "updated {skill_id} to {version}, as {library_version}",
            "unchanged": "{skill_id} {version} is there already, as {library_version}",
            "rollback": "{skill_id} is {version} again, as {library_version}",
            "uninstall": "removed {skill_id} {version}; nothing is deleted",
        },
        {
            "install": "已安装 {skill_id} {version}，版本 {library_version}",
            "update": "已将 {skill_id} 更新到 {version}，版本 {library_version}",
            "unchanged": "{skill_id} {version} 已经存在，版本 {library_version}",
            "rollback": "{skill_id} 已回退到 {version}，版本 {library_version}",
            "uninstall": "已移除 {skill_id} {version}，没有删除任何内容",
        },
    )
    note = Both("note", "注意")
    none = Both(
        "No package is installed. whet package install takes a zip or a folder.",
        "没有安装任何技能包。whet package install 接受 zip 文件或文件夹。",
    )
    columns = Both(
        {
            "skill_id": "package",
            "version": "version",
            "library_version": "library",
            "name": "name",
            "modes": "modes",
            "engines": "engines",
            "updated_at": "when",
            "changed": "changed",
        },
        {
            "skill_id": "技能包",
            "version": "版本",
            "library_version": "库版本",
            "name": "名称",
            "modes": "模式",
            "engines": "引擎",
            "updated_at": "时间",
            "changed": "改动",
        },
    )
    every = Both("all", "全部")
    removed = Both("removed", "已移除")
    problem = Both("cannot be run", "无法运行")
    fields = Both(
        {
            "name": "name",
            "description": "description",
            "version": "version",
            "id": "id",
            "modes": "modes",
            "engines": "engines",
            "updated_at": "updated",
        },
        {
            "name": "名称",
            "description": "描述",
            "version": "版本",
            "id": "标识",
            "modes": "模式",
            "engines": "引擎",
            "updated_at": "更新于",
        },
    )
    inputs = Both("inputs", "输入")
    parameters = Both("parameters", "参数")
    outputs = Both("outputs", "输出")
    artifacts = Both("files it yields", "产物文件")
    files = Both(
        CountedText("files of the package: {count}, {size:byte|bytes}"),
        "包内文件：{count} 个，{size} 字节",
    )
    file = Both("file", "文件")
    required = Both("required", "必填")
    otherwise = Both("optional", "可选")
    default = Both("default {value}", "默认 {value}")
    prompts = Both("prompts of its own: {names}", "自带提示词：{names}")
    unused = Both("not used", "不起作用")
    first = Both("first version", "首个版本")
