import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { auditCalls, auditRules, type AccessRecord } from "@arcada/contract/audit/audit.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { formatAuditAction, formatOrderAction } from "../i18n/format-recorded-codes.ts";
import { useTexts, type Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";

/** The users who viewed or changed a patient's record, the latest first. */
export function PatientAccessList({ patientId }: { patientId: string }) {
  const t = useTexts("trail", "order");
  const [pageSize, setPageSize] = useState<number>(auditRules.page);
  const query = useCall(auditCalls.looks, { id: patientId, pageSize }, { keepPrevious: true });
  return (
    <Section title={t("trail.looks.title")} description={t("trail.looks.says")} flush>
      <QueryResult
        of={query}
        isEmpty={({ list }) => list.length === 0}
        empty={<EmptyState title={t("trail.looks.none")} />}
      >
        {({ list, next }) => (
          <>
            <DataTable
              label={t("trail.looks.title")}
              columns={buildColumns(t)}
              rows={mergeRepeated(list)}
              rowKey={({ id }) => id}
            />
            {next !== null && pageSize < auditRules.max && (
              <Button
                variant="subtle"
                m="sm"
                loading={query.isFetching}
                onClick={() => setPageSize((now) => Math.min(auditRules.max, now + auditRules.page))}
              >
                {t("trail.more")}
              </Button>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

interface AccessEntry extends AccessRecord {
  times: number;
}

/** An open page requests the record repeatedly, so identical views by the same person are combined with a count. */
function mergeRepeated(list: readonly AccessRecord[]): AccessEntry[] {
  const lines: AccessEntry[] = [];
  for (const access of list) {
    const last = lines.at(-1);
    if (last && getIdentity(last) === getIdentity(access)) last.times += 1;
    else lines.push({ ...access, times: 1 });
  }
  return lines;
}
const getIdentity = ({ who, house, action, step, order, share }: AccessRecord): string =>
  JSON.stringify([who, house, action, step, order?.id, share]);

const buildColumns = (t: Translate): Column<AccessEntry>[] => [
  {
    key: "at",
    title: t("trail.when"),
    narrow: "head",
    show: ({ at }) => <span className="arcada-figures">{formatTimestamp(at)}</span>,
  },
  {
    key: "who",
    title: t("trail.who"),
    show: ({ who, house, share }) => who ?? house ?? (share === null ? t("trail.system") : t("trail.looks.visitor")),
  },
  {
    key: "what",
    title: t("trail.what"),
    show: ({ action, step, times }) => {
      const words = formatAuditAction(t, action);
      const done = step ? `${words}: ${formatOrderAction(t, step)}` : words;
      return times > 1 ? t("trail.looks.times", { done, times }) : done;
    },
  },
  { key: "through", title: t("trail.looks.through"), show: (access) => <AccessSource access={access} /> },
];

function AccessSource({ access: { order, share } }: { access: AccessRecord }) {
  const t = useTexts("trail");
  if (order)
    return (
      <Anchor component={ScreenLink} screen="orderDetail" search={{ id: order.id }} size="sm">
        {t("trail.openOrder", { number: order.number })}
      </Anchor>
    );
  return share === null ? null : <Text size="sm">{t("trail.looks.link", { label: share })}</Text>;
}
