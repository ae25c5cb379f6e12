"""What ``whet doctor`` says, in the languages it speaks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DoctorWords:
    """Labels and states; names in braces are filled in."""

    looking: str
    engine: str
    version: str
    credential: str
    state: str
    ready: str
    simulated: str
    answered: str
    fix: str
    sandbox: str
    no_sandbox: str
    database: str
    disks: dict[str, str]
    free: str
    none_yet: str
    unknown: str


ENGLISH = DoctorWords(
    looking="looking around …",
    engine="engine",
    version="version",
    credential="credential",
    state="state",
    ready="ready",
    simulated=" (simulated: no model behind it)",
    answered="answered in {seconds:.1f} s",
    fix="fix",
    sandbox="sandbox",
    no_sandbox="none works",
    database="database",
    disks={"workspace": "workspace", "scratch": "scratch"},
    free="{room} free",
    none_yet="none yet",
    unknown="unknown",
)

CHINESE = DoctorWords(
    looking="正在检查……",
    engine="引擎",
    version="版本",
    credential="凭据",
    state="状态",
    ready="就绪",
    simulated="（模拟：背后没有模型）",
    answered="{seconds:.1f} 秒内回答",
    fix="解决办法",
    sandbox="沙箱",
    no_sandbox="没有可用的沙箱",
    database="数据库",
    disks={"workspace": "工作区", "scratch": "临时区"},
    free="剩余 {room}",
    none_yet="尚未建立",
    unknown="未知",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
