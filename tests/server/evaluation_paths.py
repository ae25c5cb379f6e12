"""What the API of capability runs answers, by path."""

EVALUATION = {
    "/v1/evaluation/plan": ["post"],
    "/v1/evaluation/runs": ["get", "post"],
    "/v1/evaluation/runs/{run_id}": ["delete", "get"],
    "/v1/evaluation/runs/{run_id}/cancel": ["post"],
    "/v1/evaluation/runs/{run_id}/resume": ["post"],
    "/v1/evaluation/runs/{run_id}/events": ["get"],
    "/v1/evaluation/runs/{run_id}/coverage": ["get"],
    "/v1/evaluation/runs/{run_id}/export": ["get"],
    "/v1/evaluation/stability": ["get"],
    "/v1/evaluation/case-sets": ["get"],
    "/v1/evaluation/case-sets/{name}/lint": ["get"],
    "/v1/evaluation/coverage": ["get"],
    "/v1/evaluation/compare": ["get"],
    "/wunder/admin/evaluation/start": ["post"],
    "/wunder/admin/evaluation/runs": ["get"],
    "/wunder/admin/evaluation/cases": ["get"],
    "/wunder/admin/evaluation/stream/{run_id}": ["get"],
    "/wunder/admin/evaluation/{run_id}": ["delete", "get"],
    "/wunder/admin/evaluation/{run_id}/cancel": ["post"],
}
