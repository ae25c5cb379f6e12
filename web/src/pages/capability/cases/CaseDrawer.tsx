import { ActionIcon, Drawer, Group, Text, Title } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ItemTag } from "../ItemTag.tsx";
import type { Item } from "../queries.ts";
import { CaseView } from "./CaseView.tsx";

/** One case beside the list. */
export function CaseDrawer({
  item,
  isAtWork,
  previous,
  next,
  onOpen,
}: {
  item: Item | undefined;
  isAtWork: boolean;
  previous: string | undefined;
  next: string | undefined;
  onOpen: (id: string | undefined) => void;
}) {
  const { t } = useTranslation();
  return (
    <Drawer.Root
      opened={item !== undefined}
      onClose={() => onOpen(undefined)}
      position="right"
      size={640}
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content>
        <Drawer.Header role="none">
          <Drawer.Title component="div" style={{ minWidth: 0 }}>
            {item && (
              <>
                <Group gap="xs">
                  <Title order={2} style={{ overflowWrap: "anywhere" }}>
                    {item.case_id}
                  </Title>
                  <ItemTag
                    status={item.status}
                    isUnderway={isAtWork && item.status === "active" && item.started_at !== null}
                  />
                </Group>
                <Text size="sm" c="dimmed">
                  {t(`capability.dimensions.${item.dimension}`)}
                </Text>
              </>
            )}
          </Drawer.Title>
          <Group gap={4} wrap="nowrap">
            <Step id={previous} label={t("capability.cases.previous")} onOpen={onOpen}>
              <IconChevronLeft size={18} aria-hidden />
            </Step>
            <Step id={next} label={t("capability.cases.next")} onOpen={onOpen}>
              <IconChevronRight size={18} aria-hidden />
            </Step>
            <Drawer.CloseButton aria-label={t("capability.cases.close")} />
          </Group>
        </Drawer.Header>
        <Drawer.Body>{item && <CaseView item={item} />}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Step({
  id,
  label,
  onOpen,
  children,
}: {
  id: string | undefined;
  label: string;
  onOpen: (id: string | undefined) => void;
  children: React.ReactNode;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={id === undefined}
      onClick={() => onOpen(id)}
    >
      {children}
    </ActionIcon>
  );
}
