import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./theme.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { listen } from "./api/events.ts";
import { LiveQueries } from "./api/live.ts";
import { Problem } from "./api/problem.ts";
import { begin } from "./i18n/index.ts";
import { router } from "./routes.tsx";
import { theme, variables } from "./theme.ts";

const MOST_TRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What is live is told when it changes; the rest is fetched anew when it is looked at again.
      staleTime: 30_000,
      retry: (count, error) =>
        count < MOST_TRIES &&
        !(error instanceof Problem && error.status >= 400 && error.status < 500),
    },
  },
});

async function start() {
  const place = document.getElementById("root");
  if (!place) return;
  await begin();
  new LiveQueries(queries).start();
  listen();
  createRoot(place).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

void start();
