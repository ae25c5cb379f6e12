import { Status } from "@/parts/Status.tsx";
import type { Run } from "./queries.ts";

/** How a run is; one that runs in no living process is interrupted. */
export function RunStatus({ run }: { run: Run }) {
  return <Status status={run.reclaimable ? "interrupted" : run.status} />;
}
