"""Write the bill of materials in CycloneDX: ``python -m tests.repo.sbom``.

The same pins give the same file, so it has no moment in it.
"""

import json
import sys
from uuid import NAMESPACE_URL, uuid5

from tests.repo.pins import Pin, every_pin
from whet import __version__


def sbom(pins: list[Pin]) -> dict[str, object]:
    """The bill of these packages."""
    components = [_component(pin) for pin in pins]
    whet = {"type": "application", "name": "whet", "version": __version__}
    purl = f"pkg:pypi/whet@{__version__}"
    needed = [pin.purl for pin in pins if pin.is_shipped]
    content = json.dumps(components, sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid5(NAMESPACE_URL, f"{purl} {content}").urn,
        "version": 1,
        "metadata": {
            "component": {
                **whet,
                "bom-ref": purl,
                "purl": purl,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
        "dependencies": [{"ref": purl, "dependsOn": needed}],
    }


def _component(pin: Pin) -> dict[str, object]:
    group, _, name = pin.name.rpartition("/")
    return {
        "type": "library",
        "bom-ref": pin.purl,
        **({"group": group} if group else {}),
        "name": name,
        "version": pin.version,
        "scope": "required" if pin.is_shipped else "excluded",
        "purl": pin.purl,
        "hashes": [{"alg": kind, "content": digits} for kind, digits in _hashes(pin)],
    }


def _hashes(pin: Pin) -> tuple[tuple[str, str], ...]:
    """Of the one file that there is; where there are several, one for each system, the format has
    no way to say which is which, and they are in ``requirements/``."""
    return pin.hashes if len(pin.hashes) == 1 else ()


if __name__ == "__main__":
    json.dump(sbom(every_pin()), sys.stdout, indent=2)
    sys.stdout.write("\n")
