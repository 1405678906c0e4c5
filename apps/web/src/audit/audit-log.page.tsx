import { Anchor, Badge, Box, Button, Center, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { IconTableExport } from "@tabler/icons-react";
import { useState } from "react";
import { screens } from "@arcada/contract/screens";
import { auditCalls, auditRules } from "@arcada/contract/audit/audit.calls";
import type { AuditLine } from "@arcada/contract/audit/audit.calls";
import { ask, send } from "../data/ask.ts";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink, useSearchParams } from "../browser/navigation.tsx";
import { PermissionGate } from "../session/permission-gate.tsx";
import { queryKeyOf } from "../data/query-client.ts";
import { formatAuditAction, formatOrderAction } from "../i18n/format-recorded-codes.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { AuditFilters, parseFilter } from "./audit-filters.tsx";

/** The audit log of the institution, newest first. */
export function Page() {
  const t = useTexts("trail", "order");
  const filter = parseFilter(useSearchParams());
  const [isExporting, setExporting] = useState(false);
  const query = useInfiniteQuery({
    queryKey: queryKeyOf(auditCalls.list, filter),
    queryFn: ({ pageParam, signal }) =>
      send(auditCalls.list, { ...filter, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
    meta: { shownBy: "page" },
  });
  const startExport = async () => {
    setExporting(true);
    try {
      const { url, rows, cut } = await ask(auditCalls.export, filter, { timeout: 120_000 });
      toast("success", t("trail.exported", { count: rows }));
      if (cut) toast("info", t("trail.cut", { count: auditRules.csvRows }));
      location.assign(url);
    } finally {
      setExporting(false);
    }
  };
  const lines = { ...query, data: query.data?.pages.flatMap(({ list }) => list) };
  return (
    <PageBody
      title={t("trail.title")}
      description={t("trail.says")}
      actions={
        <Button
          variant="default"
          loading={isExporting}
          leftSection={<IconTableExport size={18} aria-hidden />}
          onClick={() => void startExport().catch(() => {})}
        >
          {t("trail.export")}
        </Button>
      }
    >
      <Section flush>
        <Box p="md">
          <AuditFilters />
        </Box>
        <QueryResult of={lines} empty={<EmptyState title={t("trail.empty")} />}>
          {(rows) => (
            <DataTable label={t("trail.list")} columns={buildColumns(t)} rows={rows} rowKey={({ id }) => id} />
          )}
        </QueryResult>
        {query.hasNextPage && (
          <Center p="md">
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t("trail.more")}
            </Button>
          </Center>
        )}
      </Section>
    </PageBody>
  );
}

const buildColumns = (t: Translate): Column<AuditLine>[] => [
  {
    key: "what",
    title: t("trail.what"),
    narrow: "head",
    show: (line) => (
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {formatAuditAction(t, line.action)}
        </Text>
        {line.step && (
          <Text size="sm" c="dimmed">
            {formatOrderAction(t, line.step)}
          </Text>
        )}
        {line.imported && (
          <Badge size="sm" variant="light" color="gray">
            {t("trail.imported")}
          </Badge>
        )}
      </Stack>
    ),
  },
  { key: "who", title: t("trail.who"), show: ({ userName }) => userName ?? t("trail.system") },
  {
    key: "when",
    title: t("trail.when"),
    show: ({ at }) => <span className="arcada-figures">{formatTimestamp(at)}</span>,
  },
  { key: "about", title: t("trail.about"), show: (line) => <SubjectCell line={line} /> },
  {
    key: "where",
    title: t("trail.where"),
    show: ({ address }) => (
      <span className="arcada-figures" dir="ltr">
        {address ?? "–"}
      </span>
    ),
  },
];

function SubjectCell({ line: { patientId, orderNumber, subject } }: { line: AuditLine }) {
  const t = useTexts("trail");
  if (!patientId && !orderNumber) return "–";
  return (
    <Group gap="xs">
      {orderNumber && subject && (
        <Anchor component={ScreenLink} screen="orderDetail" search={{ id: subject }} size="sm">
          {t("trail.openOrder", { number: orderNumber })}
        </Anchor>
      )}
      {patientId && (
        <PermissionGate to={screens.patientDetail}>
          <Anchor component={ScreenLink} screen="patientDetail" search={{ id: patientId }} size="sm">
            {t("trail.openPatient")}
          </Anchor>
        </PermissionGate>
      )}
    </Group>
  );
}
