import { Button, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  IconDownload,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, got } from "@/api/client.ts";
import { download } from "@/api/download.ts";
import { asProblem } from "@/api/problem.ts";
import { token } from "@/api/token.ts";
import { useFormat } from "@/format.ts";
import { Confirm, DANGER } from "@/parts/Confirm.tsx";
import { PageButton } from "@/parts/Links.tsx";
import { type Run, runKey } from "./queries.ts";

/** All that can be done with a run, as far as it can be done now. */
export function RunActions({ run }: { run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isDoomed, doom] = useState(false);
  const canResume = run.status === "failed" || Boolean(run.reclaimable);
  return (
    <>
      {canResume && <ResumeRun run={run} />}
      {run.status === "running" && <StopRun run={run} />}
      <PageButton
        to="/capability"
        search={{ like: run.run_id }}
        variant="default"
        size="xs"
        leftSection={<IconRefresh size={15} aria-hidden />}
      >
        {t("capability.run.again")}
      </PageButton>
      <ExportRun run={run} />
      {run.status !== "running" && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={() => doom(true)}
        >
          {t("capability.run.delete")}
        </Button>
      )}
      {isDoomed && (
        <DeleteRun
          run={run}
          onClose={() => doom(false)}
          onGone={() => void navigate({ to: "/capability" })}
        />
      )}
    </>
  );
}

function StopRun({ run }: { run: Run }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, ask] = useState(false);
  const stop = useMutation({
    mutationFn: () =>
      got(
        api.POST("/v1/evaluation/runs/{run_id}/cancel", {
          params: { path: { run_id: run.run_id } },
        }),
      ),
    onSuccess: () => ask(false),
    onSettled: () => client.invalidateQueries({ queryKey: runKey(run.run_id) }),
  });
  return (
    <>
      <Button
        size="xs"
        {...DANGER}
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        onClick={() => ask(true)}
      >
        {t("capability.run.stop")}
      </Button>
      <Confirm
        isOpen={isAsked}
        title={t("capability.run.stopTitle")}
        yes={t("capability.run.stop")}
        tone="danger"
        isBusy={stop.isPending}
        error={stop.error}
        onYes={() => stop.mutate()}
        onNo={() => ask(false)}
      >
        <Text>{t("capability.run.stopText")}</Text>
      </Confirm>
    </>
  );
}

function ResumeRun({ run }: { run: Run }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const resume = useMutation({
    mutationFn: () =>
      got(
        api.POST("/v1/evaluation/runs/{run_id}/resume", {
          params: { path: { run_id: run.run_id } },
        }),
      ),
    onError: (error) =>
      notifications.show({ color: "orange", message: asProblem(error).message, autoClose: false }),
    onSettled: () => client.invalidateQueries({ queryKey: runKey(run.run_id) }),
  });
  return (
    <Button
      size="xs"
      leftSection={<IconPlayerPlay size={15} aria-hidden />}
      loading={resume.isPending}
      onClick={() => resume.mutate()}
    >
      {t("capability.run.resume")}
    </Button>
  );
}

const FORMS = ["html", "markdown", "csv", "json"] as const;
const ENDINGS = { html: "html", markdown: "md", csv: "csv", json: "json" };

function ExportRun({ run }: { run: Run }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language.startsWith("zh") ? "zh" : "en";
  const address = (form: string) =>
    `/v1/evaluation/runs/${encodeURIComponent(run.run_id)}/export?format=${form}&language=${language}`;
  const save = (form: (typeof FORMS)[number]) =>
    download(address(form), `capability-${run.run_id.slice(0, 8)}.${ENDINGS[form]}`).catch(
      (error: unknown) =>
        notifications.show({ color: "orange", message: asProblem(error).message }),
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload size={15} aria-hidden />}>
          {t("capability.run.export")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMS.map((form) => (
          <Menu.Item
            key={form}
            component="a"
            href={address(form)}
            target="_blank"
            rel="noreferrer"
            onClick={(event: React.MouseEvent) => {
              if (token.get() === null) return;
              event.preventDefault();
              void save(form);
            }}
          >
            {t(`capability.run.exports.${form}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks whether to delete a run, and does so. */
export function DeleteRun({
  run,
  onClose,
  onGone,
}: {
  run: Run;
  onClose: () => void;
  onGone: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      got(api.DELETE("/v1/evaluation/runs/{run_id}", { params: { path: { run_id: run.run_id } } })),
    onSuccess: () => {
      onGone();
      onClose();
      void client.invalidateQueries({ queryKey: ["capability", "runs"] });
    },
  });
  return (
    <Confirm
      isOpen
      title={t("capability.run.deleteTitle")}
      yes={t("capability.run.delete")}
      tone="danger"
      isBusy={remove.isPending}
      error={remove.error}
      onYes={() => remove.mutate()}
      onNo={onClose}
    >
      <Text>
        {t("capability.run.deleteText", {
          model: run.model_name,
          when: format.moment(run.started_at),
        })}
      </Text>
    </Confirm>
  );
}
