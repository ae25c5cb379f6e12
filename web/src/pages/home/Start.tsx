import {
  ActionIcon,
  Card,
  Code,
  CopyButton,
  Group,
  Stack,
  Text,
  Title,
  Tooltip,
} from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { DemoButton } from "./DemoButton.tsx";
import classes from "./Home.module.css";

const STEPS = [
  ["eval", "whet eval ./my-skill"],
  ["init", "whet eval init ./my-skill"],
  ["doctor", "whet doctor"],
] as const;

/** What somebody sees who has not run anything yet. */
export function Start() {
  const { t } = useTranslation();
  return (
    <div className={classes.start}>
      <Card padding="xl">
        <Stack gap="md" align="flex-start">
          <Title order={2} size="h1">
            {t("home.start.title")}
          </Title>
          <Text size="lg" c="dimmed" maw={560}>
            {t("home.start.about")}
          </Text>
          <DemoButton size="md" mt="xs" />
          <Text size="sm" c="dimmed" maw={560}>
            {t("home.start.promise")}
          </Text>
        </Stack>
      </Card>
      <Card padding="xl">
        <Title order={2} mb="md">
          {t("home.start.next")}
        </Title>
        <Stack gap="md">
          {STEPS.map(([step, command]) => (
            <div key={step}>
              <Text mb={4}>{t(`home.start.steps.${step}`)}</Text>
              <Command text={command} />
            </div>
          ))}
        </Stack>
      </Card>
    </div>
  );
}

function Command({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" wrap="nowrap">
      <Code className={classes.command ?? ""}>{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t("home.start.copied") : t("home.start.copy")}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={copy}
              aria-label={`${t("home.start.copy")}: ${text}`}
            >
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
