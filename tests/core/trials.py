"""One trial with every field filled, to be changed a field at a time."""

from whet.core.arm import SkillPackage
from whet.core.case import Limits, Stimulus
from whet.core.files import FileRef
from whet.core.trial import TrialSpec

GUIDE = FileRef(path="content.txt", digest="d" * 64, size=5)
INPUT = FileRef(path="data/in.csv", digest="e" * 64, size=7)

SKILL = SkillPackage(name="writer", kind="text", digest="a" * 64, files=(GUIDE,))
STIMULUS = Stimulus(
    prompt="Sharpen the knife. 磨刀",
    files=(INPUT,),
    tools=("Read", "Write"),
    limits=Limits(timeout_seconds=30, max_turns=5, max_cost_usd=0.25),
)
SPEC = TrialSpec(
    scope="workspace",
    series=0,
    skill=SKILL,
    stimulus=STIMULUS,
    engine="claude",
    engine_version="1.2.3",
    model="sonnet",
    options={"effort": "high", "seed": 7},
    sandbox="bubblewrap",
    attempt=1,
)
