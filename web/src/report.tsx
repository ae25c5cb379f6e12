import "@mantine/core/styles.css";
import "./theme.css";
import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { begin, speak } from "./i18n/index.ts";
import { Report } from "./pages/experiment/Report.tsx";
import type { ReportData } from "./pages/experiment/view.ts";
import { theme, variables } from "./theme.ts";

/** The data of a report, as Python has put it into the page; null where it has not. */
function embedded(): ReportData | null {
  return JSON.parse(document.getElementById("report")?.textContent ?? "null");
}

async function start() {
  const place = document.getElementById("root");
  if (!place) return;
  const report = embedded();
  await begin();
  if (report) await speak(report.language === "zh" ? "zh-CN" : "en-US");
  createRoot(place).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        <Report report={report} />
      </MantineProvider>
    </StrictMode>,
  );
}

void start();
