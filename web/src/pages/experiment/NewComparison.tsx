import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, got, type Shape } from "@/api/client.ts";
import { Dialog } from "@/parts/Dialog.tsx";
import { Failed, Loading } from "@/parts/States.tsx";
import { useDeeds } from "./Actions.tsx";
import { assets, engines } from "./queries.ts";

const MOST_REPEATS = 100;

/** A button, and behind it all that a comparison needs. */
export function NewComparison() {
  const { t } = useTranslation();
  const [isOpen, open] = useState(false);
  return (
    <>
      <Button size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => open(true)}>
        {t("experiment.make.open")}
      </Button>
      <Dialog
        title={t("experiment.make.title")}
        closeLabel={t("experiment.actions.cancel")}
        isOpen={isOpen}
        close={() => open(false)}
      >
        <Questions />
      </Dialog>
    </>
  );
}

/** Each by its id, so that a name may be anything; two of one name are told apart. */
function choices(items: readonly Shape<"AssetItem">[]) {
  return items.map(({ id, name, version, purpose }) => ({
    value: id,
    label: `${name} ${version} · ${purpose}`,
  }));
}

function Questions() {
  const found = [useQuery(assets("skills")), useQuery(assets("baselines"))] as const;
  const known = useQuery(engines());
  // What is there already stays: somebody may have half filled the form.
  const failed = [...found, known].find((query) => query.isError && query.data === undefined);
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />;
  const [skills, baselines] = found;
  if (!skills.data || !baselines.data || !known.data) return <Loading rows={5} />;
  return (
    <Form
      skills={skills.data.items}
      baselines={baselines.data.items}
      engines={known.data.engines.filter(({ installed }) => installed).map(({ name }) => name)}
    />
  );
}

function Form({
  skills,
  baselines,
  engines,
}: {
  skills: readonly Shape<"AssetItem">[];
  baselines: readonly Shape<"AssetItem">[];
  engines: readonly string[];
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { run, busy, dialog } = useDeeds();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string[]>([]);
  const [on, setOn] = useState<string[]>([]);
  const [engine, setEngine] = useState<string | null>(null);
  const [repeats, setRepeats] = useState<number | string>(3);
  const made = useRef<string | null>(null);
  const begin = async (confirmed: boolean) => {
    // Who is asked back agrees to the project that is there already.
    if (made.current === null) {
      const body = {
        name: name.trim(),
        skills: chosen,
        baselines: on,
        engine: engine ?? "",
        repeats: Number(repeats),
      } as Shape<"Comparison">;
      made.current = (await got(api.POST("/v1/projects", { body }))).id;
    }
    const reference = made.current;
    await got(
      api.POST("/v1/projects/{reference}/run", {
        params: { path: { reference } },
        body: { confirmed, imported: false, budget: {} },
      }),
    );
    await navigate({
      to: "/experiments/projects/$identity",
      params: { identity: reference },
      search: {},
    });
  };
  const isReady = name.trim() !== "" && chosen.length > 0 && on.length > 0 && Number(repeats) >= 1;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        made.current = null;
        void run("begin", begin);
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("experiment.make.about")}
        </Text>
        <TextInput
          label={t("experiment.make.name")}
          placeholder={t("experiment.make.namePlaceholder")}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          data-autofocus
        />
        <MultiSelect
          label={t("experiment.make.skills")}
          data={choices(skills)}
          value={chosen}
          onChange={setChosen}
          searchable
          required
          nothingFoundMessage={t("experiment.make.noAssets")}
        />
        <MultiSelect
          label={t("experiment.make.baselines")}
          data={choices(baselines)}
          value={on}
          onChange={setOn}
          searchable
          required
          nothingFoundMessage={t("experiment.make.noAssets")}
        />
        <Group grow align="flex-start">
          <Select
            label={t("experiment.make.engine")}
            description={t("experiment.make.engineHint")}
            placeholder={t("experiment.make.byDefault")}
            data={[...engines]}
            value={engine}
            onChange={setEngine}
          />
          <NumberInput
            label={t("experiment.make.repeats")}
            description=" "
            min={1}
            max={MOST_REPEATS}
            allowDecimal={false}
            value={repeats}
            onChange={setRepeats}
          />
        </Group>
        <Group justify="flex-end">
          <Button type="submit" disabled={!isReady} loading={busy !== null}>
            {t("experiment.make.start")}
          </Button>
        </Group>
      </Stack>
      {dialog}
    </form>
  );
}
