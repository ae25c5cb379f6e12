import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, got } from "@/api/client.ts";
import { asProblem } from "@/api/problem.ts";
import { spoken } from "@/i18n/index.ts";
import { Dialog } from "@/parts/Dialog.tsx";
import type { View } from "./view.ts";

type Deed = (confirmed: boolean) => Promise<unknown>;

/** Does what a person asks for; where that may cost something, asks back first. */
export function useDeeds() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ deed: Deed; detail: string; name: string } | null>(null);
  const run = async (name: string, deed: Deed, confirmed = false) => {
    setBusy(name);
    try {
      await deed(confirmed);
      setAsked(null);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.code === "confirmation_needed") {
        setAsked({ deed, detail: problem.message, name });
      } else {
        setAsked(null);
        notifications.show({
          color: "orange",
          title: t("experiment.actions.failed"),
          message: problem.message,
        });
      }
    } finally {
      setBusy(null);
    }
  };
  const dialog = (
    <Dialog
      title={t("experiment.actions.confirm")}
      closeLabel={t("experiment.actions.cancel")}
      isOpen={asked !== null}
      close={() => setAsked(null)}
    >
      <Text>{asked?.detail}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => setAsked(null)}>
          {t("experiment.actions.cancel")}
        </Button>
        <Button
          loading={busy !== null}
          onClick={() => asked && void run(asked.name, asked.deed, true)}
        >
          {t("experiment.actions.agree")}
        </Button>
      </Group>
    </Dialog>
  );
  return { run, busy, dialog };
}

/** What can be done with an experiment just now. */
export function Actions({ view }: { view: View }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { run, busy, dialog } = useDeeds();
  const isRunning = view.status === "running";
  const isProject = view.kind === "project";
  const path = { params: { path: { reference: view.id } } };
  const identity = { params: { path: { identity: view.id } } };
  const failed = view.legs.some((leg) =>
    leg.cases.some(({ cells }) => cells.some((cell) => cell.failed + cell.unscored > 0)),
  );
  const deeds: Record<string, Deed> = {
    pause: () => got(api.POST("/v1/projects/{reference}/pause", path)),
    stop: () =>
      isProject
        ? got(api.POST("/v1/projects/{reference}/stop", path))
        : got(api.POST("/v1/evals/{identity}/stop", identity)),
    resume: (confirmed) =>
      isProject
        ? got(
            api.POST("/v1/projects/{reference}/run", {
              ...path,
              body: { confirmed, imported: false, budget: {} },
            }),
          )
        : got(api.POST("/v1/evals/{identity}/resume", identity)),
    retry: (confirmed) =>
      got(
        api.POST("/v1/projects/{reference}/retry", {
          ...path,
          body: { failed: true, unscored: true, run: true, confirmed },
        }),
      ),
    report: () => saved(view),
  };
  const button = (
    name: "pause" | "stop" | "resume" | "retry" | "report",
    icon: typeof IconRefresh,
  ) => {
    const Icon = icon;
    return (
      <Button
        variant="default"
        size="xs"
        loading={busy === name}
        disabled={busy !== null}
        leftSection={<Icon size={15} aria-hidden />}
        onClick={() => {
          const deed = deeds[name];
          if (!deed) return;
          void run(name, async (confirmed) => {
            await deed(confirmed);
            await queries.invalidateQueries({ queryKey: ["experiment", view.kind, view.id] });
          });
        }}
      >
        {t(`experiment.actions.${name === "resume" && view.status === "pending" ? "start" : name}`)}
      </Button>
    );
  };
  return (
    <>
      {isRunning && isProject && button("pause", IconPlayerPause)}
      {isRunning && button("stop", IconPlayerStop)}
      {["interrupted", "partial", "pending"].includes(view.status) &&
        button("resume", IconPlayerPlay)}
      {!isRunning && isProject && failed && button("retry", IconRefresh)}
      {!isRunning &&
        !isProject &&
        view.legs.every((leg) => leg.measures.length > 0) &&
        button("report", IconDownload)}
      {dialog}
    </>
  );
}

/** Fetches the report and hands it to the browser as a file: a link could not show the token. */
async function saved(view: View) {
  const text = await got(
    api.GET("/v1/evals/{identity}/report", {
      params: {
        path: { identity: view.id },
        query: { form: "html", language: spoken() === "zh-CN" ? "zh" : "en" },
      },
      parseAs: "text",
    }),
  );
  const address = URL.createObjectURL(new Blob([String(text)], { type: "text/html" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${view.name}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
