import "@mantine/core/styles.css";
import "./theme.css";
import { MantineProvider, Text } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { theme, variables } from "./theme.ts";

/** The data of a report, as Python has put it into the page; null where it has not. */
function embedded(): unknown {
  return JSON.parse(document.getElementById("report")?.textContent ?? "null");
}

const place = document.getElementById("root");
if (place) {
  createRoot(place).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        {embedded() === null ? <Text p="lg">No report.</Text> : null}
      </MantineProvider>
    </StrictMode>,
  );
}
