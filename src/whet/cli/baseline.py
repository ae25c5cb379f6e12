"""``whet baseline``: sets of test cases in the library."""

import typer

from whet.cli import (
    asset_assist,
    asset_case,
    asset_edit,
    asset_export,
    asset_find,
    asset_import,
    asset_tag,
    asset_versions,
)

app = typer.Typer(name="baseline", help="Collect and find sets of cases.", no_args_is_help=True)
app.command("import")(asset_import.import_("baseline"))
app.command("export")(asset_export.export("baseline"))
app.command("list")(asset_find.list_("baseline"))
app.command("show")(asset_find.show("baseline"))
app.command("search")(asset_find.search("baseline"))
app.command("facets")(asset_find.facets("baseline"))
app.command("broken")(asset_find.broken("baseline"))
app.command("edit")(asset_edit.edit("baseline"))
app.command("versions")(asset_versions.versions("baseline"))
app.command("diff")(asset_versions.diff("baseline"))
app.command("rollback")(asset_edit.rollback("baseline"))
app.command("adopt")(asset_edit.adopt("baseline"))
app.command("archive")(asset_edit.archive("baseline"))
app.command("restore")(asset_edit.restore("baseline"))
app.add_typer(asset_tag.tags("baseline"))
app.command("suggest-purpose")(asset_assist.suggest_purpose("baseline"))
app.add_typer(asset_case.app)
app.command("generate")(asset_assist.generate)
