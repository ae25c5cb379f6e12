"""What the API of sessions answers, by path."""

SESSIONS = {
    "": ["get"],
    "/search": ["get"],
    "/compare": ["get"],
    "/import": ["post"],
    "/live": ["get"],
    "/{identity}/tail": ["get"],
    "/{reference}": ["delete", "get"],
    "/{reference}/calls": ["get"],
    "/{reference}/calls/{call}": ["get"],
    "/{reference}/messages": ["get"],
    "/{reference}/timeline": ["get"],
    "/{reference}/figures": ["get"],
    "/{reference}/verdicts": ["get"],
    "/{reference}/annotations": ["get", "post"],
    "/{reference}/annotations/auto": ["post"],
    "/{reference}/annotations/engine": ["post"],
    "/{reference}/annotations/{annotation}": ["delete", "put"],
    "/{reference}/original": ["get"],
    "/{reference}/export": ["get"],
    "/{reference}/export/otlp": ["post"],
}
