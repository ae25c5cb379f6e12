import asyncio
from pathlib import Path

from whet.app.app import opened
from whet.app.experiments import Experiments
from whet.app.projects.create import Comparison, create_project
from whet.app.sample import install
from whet.app.settings import read

with opened(read(Path("workspace"))) as app:
    install(app.settings.workspace, "en")
    comparison = Comparison(
        name="Try-out",
        skills=("Careful Python Writer", "Helpful Python Assistant"),
        baselines=("9297bc90",),
        engine="notes",
        judges=("mentions",),
    )
    project = create_project(app, comparison)
    report = asyncio.run(Experiments(app).run(project))

for entry in report.summary.ranking:
    against = entry.versus_next.label if entry.versus_next else "last"
    print(f"{entry.avg_score:.1f}  {entry.skill_name}: {against}")
