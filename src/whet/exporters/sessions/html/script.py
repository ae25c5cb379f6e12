"""The one script of the page, and the policy that lets it run and nothing else."""

from base64 import b64encode
from hashlib import sha256

from whet.exporters.sessions.html import script_base, script_detail, script_list, script_player

SCRIPT = (
    '"use strict";\n(() => {'
    + script_base.SCRIPT
    + script_list.SCRIPT
    + script_detail.SCRIPT
    + script_player.SCRIPT
    + "})();\n"
)


def policy(style: str) -> str:
    """What the browser allows: this script and this style by what they are, and no network. Text
    is never taken for HTML, even if the script had a mistake."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"script-src {_hash(SCRIPT)}; style-src {_hash(style)}; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
