import { Badge, Button, Text } from "@mantine/core";
import { IconTool } from "@tabler/icons-react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { formatTimeAgo } from "../i18n/format.ts";
import { ScreenLink, useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { PermissionGate } from "../session/permission-gate.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { ageBandColours, getAgeBand } from "./clinic-text.ts";

type Work = ClinicDetail["workList"][number];

/** The open work at a clinic, the oldest first. */
export function OpenWorkList({ clinic }: { clinic: ClinicDetail }) {
  const t = useTexts("clinic", "workorder");
  const go = useOpenScreen();
  return (
    <Section
      title={t("clinic.openWork")}
      actions={
        <PermissionGate to={workorderCalls.create}>
          <Button
            component={ScreenLink}
            screen="reportWorkorder"
            search={{ clinic: clinic.id }}
            variant="default"
            size="compact-sm"
            leftSection={<IconTool size={16} aria-hidden />}
          >
            {t("workorder.list.report")}
          </Button>
        </PermissionGate>
      }
      flush
    >
      {clinic.workList.length === 0 ? (
        <EmptyState title={t("clinic.noWork")} />
      ) : (
        <DataTable
          label={t("clinic.openWork")}
          columns={buildColumns(t)}
          rows={clinic.workList}
          rowKey={({ id }) => id}
          onOpen={({ id }) => go("workorderDetail", { id })}
        />
      )}
    </Section>
  );
}

const buildColumns = (t: Translate): Column<Work>[] => [
  {
    key: "number",
    title: t("clinic.workNumber"),
    narrow: "head",
    opens: "button",
    show: ({ number }) => (
      <Text size="sm" fw={600} className="arcada-figures">
        {number}
      </Text>
    ),
  },
  { key: "type", title: t("clinic.workType"), show: ({ type }) => t(`workorder.type.${type}`) },
  { key: "state", title: t("clinic.state"), show: ({ state }) => t(`workorder.state.${state}`) },
  { key: "person", title: t("clinic.assignee"), show: ({ assignee }) => assignee ?? t("clinic.nobody") },
  {
    key: "age",
    title: t("clinic.since"),
    show: ({ createdAt }) => (
      <Badge variant="light" color={ageBandColours[getAgeBand(createdAt)]}>
        {formatTimeAgo(createdAt)}
      </Badge>
    ),
  },
];
