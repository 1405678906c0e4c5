import { Button, Text } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { StaffMember } from "@arcada/contract/operator/operator.calls";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { AppointDialog } from "./appoint-after-sales-staff.tsx";
import { StaffActions } from "./after-sales-staff-actions.tsx";

/** The staff: after-sales workers for clinics and devices, and the managers who decide on them. */
export function Page() {
  const t = useTexts("operator");
  const query = useCall(operatorCalls.staff, {});
  const [isOpen, setOpen] = useState(false);
  const appoint = (
    <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setOpen(true)}>
      {t("operator.staff.appoint")}
    </Button>
  );
  return (
    <PageBody title={t("operator.staff.title")} description={t("operator.staff.says")} actions={appoint}>
      <Section flush>
        <QueryResult
          of={query}
          empty={<EmptyState title={t("operator.staff.none")} text={t("operator.staff.noneText")} />}
        >
          {(people) => (
            <DataTable
              label={t("operator.staff.title")}
              columns={buildColumns(t)}
              rows={people}
              rowKey={({ id }) => id}
              actionsTitle={t("common.actions")}
              actions={(colleague) => <StaffActions colleague={colleague} />}
            />
          )}
        </QueryResult>
      </Section>
      {isOpen && <AppointDialog onClose={() => setOpen(false)} />}
    </PageBody>
  );
}

const buildColumns = (t: Translate): Column<StaffMember>[] => [
  {
    key: "name",
    title: t("operator.staff.name"),
    narrow: "head",
    show: ({ name, email, phone }) => (
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          {[email, phone].filter(Boolean).join(" · ")}
        </Text>
      </div>
    ),
  },
  { key: "role", title: t("operator.staff.role"), show: ({ role }) => t(`common.role.${role}`) },
  {
    key: "orders",
    title: t("operator.staff.openWorkOrders"),
    align: "end",
    show: ({ openWorkOrders }) => <span className="arcada-figures">{openWorkOrders}</span>,
  },
  {
    key: "since",
    title: t("operator.staff.since"),
    show: ({ since }) => <span className="arcada-figures">{formatDay(since)}</span>,
  },
  {
    key: "seen",
    title: t("operator.staff.seen"),
    show: ({ seenAt }) => <span className="arcada-figures">{formatTimestamp(seenAt)}</span>,
  },
];
