"""``whet skill``: the skills you write."""

import typer

from whet.cli.skill_lint import lint
from whet.cli.skill_pack import pack

app = typer.Typer(name="skill", help="Look at skills and pack them.", no_args_is_help=True)
app.command("lint")(lint)
app.command("pack")(pack)
