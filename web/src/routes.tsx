import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { patient } from "@/api/patient.ts";
import { readCase, readCompared, readLike } from "@/pages/capability/address.ts";
import { readChosen } from "@/pages/experiment/place.ts";
import { NoPage } from "@/pages/NoPage.tsx";
import { Broken } from "@/parts/ErrorBoundary.tsx";
import { Loading } from "@/parts/States.tsx";
import { Shell } from "@/shell/Shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(
    patient(() => import("@/pages/home/HomePage.tsx")),
    "HomePage",
  ),
});

const experiments = createRoute({
  getParentRoute: () => root,
  path: "/experiments",
  component: lazyRouteComponent(
    patient(() => import("@/pages/experiment/ListPage.tsx")),
    "ListPage",
  ),
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/experiments/projects/$identity",
  validateSearch: readChosen,
  component: lazyRouteComponent(
    patient(() => import("@/pages/experiment/Pages.tsx")),
    "ProjectPage",
  ),
});

const evaluation = createRoute({
  getParentRoute: () => root,
  path: "/experiments/evals/$identity",
  validateSearch: readChosen,
  component: lazyRouteComponent(
    patient(() => import("@/pages/experiment/Pages.tsx")),
    "EvalPage",
  ),
});

const capability = createRoute({
  getParentRoute: () => root,
  path: "/capability",
  validateSearch: readLike,
  component: lazyRouteComponent(
    patient(() => import("@/pages/capability/ListPage.tsx")),
    "ListPage",
  ),
});

const capabilityRun = createRoute({
  getParentRoute: () => root,
  path: "/capability/runs/$run",
  validateSearch: readCase,
  component: lazyRouteComponent(
    patient(() => import("@/pages/capability/RunPage.tsx")),
    "RunPage",
  ),
});

const capabilityCompare = createRoute({
  getParentRoute: () => root,
  path: "/capability/compare",
  validateSearch: readCompared,
  component: lazyRouteComponent(
    patient(() => import("@/pages/capability/compare/ComparePage.tsx")),
    "ComparePage",
  ),
});

/** All pages. They lie behind the # of the address, so the server knows only one. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    experiments,
    project,
    evaluation,
    capability,
    capabilityRun,
    capabilityCompare,
  ]),
  history: createHashHistory(),
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Broken error={error} retry={reset} />,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
