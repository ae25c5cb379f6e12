import { Table, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { shown } from "../detail.ts";
import type { Difference } from "./compared.ts";

/** What else two runs differ in. */
export function Others({ difference }: { difference: Difference }) {
  const { t } = useTranslation();
  if (difference.environment.length === 0) return null;
  return (
    <div>
      <Title order={3} mb="xs">
        {t("capability.compare.environment")}
      </Title>
      <Table.ScrollContainer type="native" tabIndex={0} minWidth={520}>
        <Table aria-label={t("capability.compare.environment")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("capability.compare.field")}</Table.Th>
              <Table.Th>{t("capability.compare.before")}</Table.Th>
              <Table.Th>{t("capability.compare.after")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {difference.environment.map(({ field, left, right }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{field}</Table.Th>
                <Cell value={left} />
                <Cell value={right} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

function Cell({ value }: { value: unknown }) {
  return (
    <Table.Td>
      <Text size="xs" ff="monospace" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {shown(value) || "–"}
      </Text>
    </Table.Td>
  );
}
