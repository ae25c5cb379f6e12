"""``whet project``: compare skills on baselines, and see what came of it."""

import typer

from whet.cli import project_compare, project_file, project_find, project_make, project_work

app = typer.Typer(name="project", help="Compare skills on baselines.", no_args_is_help=True)
app.command("create")(project_make.create)
app.command("run")(project_work.run)
app.command("resume")(project_work.resume)
app.command("pause")(project_work.pause)
app.command("stop")(project_work.stop)
app.command("status")(project_work.status)
app.command("watch")(project_work.watch)
app.command("retry")(project_work.retry)
app.command("list")(project_find.list_)
app.command("show")(project_find.show)
app.command("results")(project_find.results)
app.command("rename")(project_make.rename)
app.command("archive")(project_make.archive)
app.command("restore")(project_make.restore)
app.command("clone")(project_make.clone)
app.command("export")(project_file.export)
app.command("import")(project_file.import_)
app.command("adopt")(project_make.adopt)
app.command("compare")(project_compare.compare)
app.command("environment")(project_compare.environment)
