import { Button, Card, Center, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem, type Problem, problemOf } from "@/api/problem.ts";
import { authorization, token } from "@/api/token.ts";
import { Prose } from "@/parts/States.tsx";

/** Whether the server accepts a token. */
async function tried(value: string): Promise<Problem | null> {
  try {
    const answer = await fetch("/v1/health", { headers: authorization(value) });
    return answer.ok ? null : problemOf(answer.status, null);
  } catch (thrown) {
    return asProblem(thrown);
  }
}

export function SignIn() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function enter(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    const found = await tried(value.trim());
    setBusy(false);
    setProblem(found);
    if (found) return;
    token.set(value.trim());
    await queries.invalidateQueries();
  }

  const wrong = problem?.status === 401 ? t("shell.signIn.wrong") : problem?.message;
  return (
    <Center mih="70vh">
      <Card w={400} maw="100%" component="main">
        <form onSubmit={(event) => void enter(event)}>
          <Stack gap="md">
            <Title order={1} size="h2">
              {t("shell.signIn.title")}
            </Title>
            <Text c="dimmed">
              <Prose text={t("shell.signIn.about")} />
            </Text>
            <PasswordInput
              label={t("shell.signIn.field")}
              description={t("shell.signIn.kept")}
              autoComplete="off"
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              error={wrong}
              data-autofocus
            />
            <Button type="submit" loading={isBusy} disabled={value.trim() === ""}>
              {t("shell.signIn.enter")}
            </Button>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
