import { Card, Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/format.ts";
import { shown } from "./detail.ts";
import { DIMENSIONS, type Run } from "./queries.ts";
import { fieldsOf } from "./wish.ts";

/** What a run was started with. */
export function RunSettings({ run }: { run: Run }) {
  const { t } = useTranslation();
  const format = useFormat();
  const snapshot = fieldsOf(run.config_snapshot);
  const pin = fieldsOf(snapshot.pin);
  const { tools } = fieldsOf(run.tool_snapshot);
  const options = fieldsOf(pin.options);
  const skill = fieldsOf(snapshot.skill);
  const weights = DIMENSIONS.filter((dimension) => run.weights?.[dimension] !== undefined).map(
    (dimension) =>
      `${t(`capability.dimensions.${dimension}`)} ${format.count(run.weights?.[dimension] ?? 0)}`,
  );
  const rows: readonly [string, string][] = [
    [t("capability.settings.engine"), shown(run.engine ?? pin.engine)],
    [t("capability.settings.version"), shown(run.engine_version)],
    [t("capability.settings.model"), shown(pin.model)],
    [t("capability.settings.sandbox"), shown(pin.sandbox)],
    [
      t("capability.settings.tools"),
      Array.isArray(tools) ? tools.map(String).join(", ") : t("capability.settings.unknown"),
    ],
    [t("capability.settings.skill"), shown(skill.name) || t("capability.settings.nothing")],
    [t("capability.settings.concurrency"), shown(snapshot.concurrency)],
    [t("capability.settings.timeout"), shown(snapshot.timeout_s)],
    [t("capability.settings.retries"), shown(snapshot.retries)],
    [t("capability.settings.weights"), weights.join(", ")],
    [
      t("capability.settings.options"),
      Object.keys(options).length > 0 ? shown(options) : t("capability.settings.nothing"),
    ],
    [t("capability.settings.digest"), shown(run.case_set_digest)],
    [t("capability.settings.id"), run.run_id],
  ];
  return (
    <Card p={0}>
      <Table aria-label={t("capability.run.tabs.settings")}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={220}>
                {name}
              </Table.Th>
              <Table.Td>
                <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
                  {value || t("numbers.none")}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
