"""What ``whet doctor`` says, in the languages it speaks."""

from whet.core.bilingual import Both, Words


class DoctorWords(Words):
    """Labels and states; names in braces are filled in."""

    looking = Both("looking around …", "正在检查……")
    engine = Both("engine", "引擎")
    version = Both("version", "版本")
    credential = Both("credential", "凭据")
    state = Both("state", "状态")
    ready = Both("ready", "就绪")
    simulated = Both(" (simulated: no model behind it)", "（模拟：背后没有模型）")
    answered = Both("answered in {seconds:.1f} s", "{seconds:.1f} 秒内回答")
    fix = Both("fix", "解决办法")
    sandbox = Both("sandbox", "沙箱")
    no_sandbox = Both("none works", "没有可用的沙箱")
    database = Both("database", "数据库")
    disks = Both(
        {"workspace": "workspace", "scratch": "scratch"},
        {"workspace": "工作区", "scratch": "临时区"},
    )
    free = Both("{room} free", "剩余 {room}")
    none_yet = Both("none yet", "尚未建立")
    unknown = Both("unknown", "未知")
