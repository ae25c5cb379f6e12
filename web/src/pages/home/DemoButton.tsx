import { Button, type ButtonProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem.ts";
import { startDemo } from "./queries.ts";

/** Starts the demo and leads to where it can be watched; one that is there already is shown. */
export function DemoButton(props: ButtonProps) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: () => startDemo(i18n.language),
    onSuccess: ({ id }) =>
      navigate({ to: "/experiments/projects/$identity", params: { identity: id } }),
    onError: (error) =>
      notifications.show({
        color: "orange",
        title: t("home.start.failed"),
        message: asProblem(error).message,
      }),
  });
  return (
    <Button
      leftSection={<IconPlayerPlay size={16} aria-hidden />}
      loading={start.isPending}
      onClick={() => start.mutate()}
      {...props}
    >
      {t("home.start.button")}
    </Button>
  );
}
