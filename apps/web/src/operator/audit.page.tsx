import { Button, Center } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { send } from "../data/ask.ts";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { queryKeyOf } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { AuditChecks } from "./audit-checks.tsx";
import { buildColumns } from "./audit-columns.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { parseAuditFilter } from "./audit-filter.ts";

/** The audit log of all institutions: user, action, place. It contains no content of records. */
export function Page() {
  const t = useTexts("operator", "trail", "order");
  const filter = parseAuditFilter(useSearchParams());
  const set = useSetSearchParams();
  const query = useInfiniteQuery({
    queryKey: queryKeyOf(operatorCalls.audit, filter),
    queryFn: ({ pageParam, signal }) =>
      send(operatorCalls.audit, { ...filter, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
    // Each query is recorded in the audit log, so do not refetch when the window regains focus.
    refetchOnWindowFocus: false,
    meta: { shownBy: "page" },
  });
  const lines = { ...query, data: query.data?.pages.flatMap(({ list }) => list) };
  return (
    <PageBody title={t("operator.audit.title")} description={t("operator.audit.says")}>
      <AuditChecks />
      <Section flush>
        <AuditFilters filter={filter} entries={lines.data ?? []} />
        <QueryResult of={lines} empty={<EmptyState title={t("trail.empty")} />}>
          {(rows) => (
            <DataTable label={t("trail.list")} columns={buildColumns(t, set)} rows={rows} rowKey={({ id }) => id} />
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
