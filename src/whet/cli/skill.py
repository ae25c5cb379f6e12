"""``whet skill``: the skills you write, and those in the library."""

import typer

from whet.cli import (
    asset_assist,
    asset_edit,
    asset_export,
    asset_find,
    asset_import,
    asset_tag,
    asset_versions,
)
from whet.cli.skill_lint import lint
from whet.cli.skill_pack import pack

app = typer.Typer(name="skill", help="Collect, find, check and pack skills.", no_args_is_help=True)
app.command("import")(asset_import.import_("skill"))
app.command("export")(asset_export.export("skill"))
app.command("list")(asset_find.list_("skill"))
app.command("show")(asset_find.show("skill"))
app.command("search")(asset_find.search("skill"))
app.command("facets")(asset_find.facets("skill"))
app.command("broken")(asset_find.broken("skill"))
app.command("edit")(asset_edit.edit("skill"))
app.command("versions")(asset_versions.versions("skill"))
app.command("diff")(asset_versions.diff("skill"))
app.command("rollback")(asset_edit.rollback("skill"))
app.command("adopt")(asset_edit.adopt("skill"))
app.command("archive")(asset_edit.archive("skill"))
app.command("restore")(asset_edit.restore("skill"))
app.add_typer(asset_tag.tags("skill"))
app.command("suggest-purpose")(asset_assist.suggest_purpose("skill"))
app.command("lint")(lint)
app.command("pack")(pack)
