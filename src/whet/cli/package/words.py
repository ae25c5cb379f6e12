"""What ``whet package`` says, in the languages it speaks."""

from dataclasses import dataclass

from whet.app.packages.told import Action
from whet.core.counts import CountedText


@dataclass(frozen=True)
class PackageWords:
    """Headings and sentences; names in braces are filled in."""

    actions: dict[Action, str]
    note: str
    none: str
    columns: dict[str, str]
    every: str
    removed: str
    problem: str
    fields: dict[str, str]
    inputs: str
    parameters: str
    outputs: str
    artifacts: str
    files: str
    file: str
    required: str
    otherwise: str
    default: str
    prompts: str
    unused: str
    first: str


ENGLISH = PackageWords(
    actions={
        "install": "installed {skill_id} {version} as {library_version}",
        "update": "updated {skill_id} to {version}, as {library_version}",
        "unchanged": "{skill_id} {version} is there already, as {library_version}",
        "rollback": "{skill_id} is {version} again, as {library_version}",
        "uninstall": "removed {skill_id} {version}; nothing is deleted",
    },
    note="note",
    none="No package is installed. whet package install takes a zip or a folder.",
    columns={
        "skill_id": "package",
        "version": "version",
        "library_version": "library",
        "name": "name",
        "modes": "modes",
        "engines": "engines",
        "updated_at": "when",
        "changed": "changed",
    },
    every="all",
    removed="removed",
    problem="cannot be run",
    fields={
        "name": "name",
        "description": "description",
        "version": "version",
        "id": "id",
        "modes": "modes",
        "engines": "engines",
        "updated_at": "updated",
    },
    inputs="inputs",
    parameters="parameters",
    outputs="outputs",
    artifacts="files it yields",
    files=CountedText("files of the package: {count}, {size:byte|bytes}"),
    file="file",
    required="required",
    otherwise="optional",
    default="default {value}",
    prompts="prompts of its own: {names}",
    unused="not used",
    first="first version",
)

CHINESE = PackageWords(
    actions={
        "install": "已安装 {skill_id} {version}，版本 {library_version}",
        "update": "已将 {skill_id} 更新到 {version}，版本 {library_version}",
        "unchanged": "{skill_id} {version} 已经存在，版本 {library_version}",
        "rollback": "{skill_id} 已回退到 {version}，版本 {library_version}",
        "uninstall": "已移除 {skill_id} {version}，没有删除任何内容",
    },
    note="注意",
    none="没有安装任何技能包。whet package install 接受 zip 文件或文件夹。",
    columns={
        "skill_id": "技能包",
        "version": "版本",
        "library_version": "库版本",
        "name": "名称",
        "modes": "模式",
        "engines": "引擎",
        "updated_at": "时间",
        "changed": "改动",
    },
    every="全部",
    removed="已移除",
    problem="无法运行",
    fields={
        "name": "名称",
        "description": "描述",
        "version": "版本",
        "id": "标识",
        "modes": "模式",
        "engines": "引擎",
        "updated_at": "更新于",
    },
    inputs="输入",
    parameters="参数",
    outputs="输出",
    artifacts="产物文件",
    files="包内文件：{count} 个，{size} 字节",
    file="文件",
    required="必填",
    otherwise="可选",
    default="默认 {value}",
    prompts="自带提示词：{names}",
    unused="不起作用",
    first="首个版本",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
