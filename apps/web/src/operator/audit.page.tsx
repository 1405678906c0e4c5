import { Anchor, Button, Center, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { operatorCalls, type AuditEntry } from "@arcada/contract/operator/operator.calls";
import { send } from "../kernel/ask.ts";
import { showFullTime } from "../kernel/format.ts";
import { ScreenLink, useSearch, useSetSearch } from "../kernel/link.tsx";
import { keyOf } from "../kernel/queries.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { AuditChecks } from "./audit-checks.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { auditFilterOf } from "./audit-filter.ts";

/** The trail of all organisations: who did what, where. What a record holds stands nowhere in it. */
export function Page() {
  const t = useTexts("operator", "trail", "order");
  const filter = auditFilterOf(useSearch());
  const set = useSetSearch();
  const query = useInfiniteQuery({
    queryKey: keyOf(operatorCalls.audit, filter),
    queryFn: ({ pageParam, signal }) =>
      send(operatorCalls.audit, { ...filter, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
    // Each look is a line of the trail: nobody looks again only by coming back to the window.
    refetchOnWindowFocus: false,
    meta: { shownBy: "page" },
  });
  const lines = { ...query, data: query.data?.pages.flatMap(({ list }) => list) };
  return (
    <PageBody title={t("operator.audit.title")} says={t("operator.audit.says")}>
      <AuditChecks />
      <Section flush>
        <AuditFilters filter={filter} />
        <Answer of={lines} empty={<EmptyState title={t("trail.empty")} />}>
          {(rows) => (
            <DataTable label={t("trail.list")} columns={columnsOf(t, set)} rows={rows} rowKey={({ id }) => id} />
          )}
        </Answer>
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

const columnsOf = (t: Translate, set: ReturnType<typeof useSetSearch>): Column<AuditEntry>[] => [
  {
    key: "what",
    title: t("trail.what"),
    narrow: "head",
    show: ({ action, step }) => (
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {t(`trail.action.${action}`, { defaultValue: action })}
        </Text>
        {step && (
          <Text size="sm" c="dimmed">
            {t(`order.action.${step}`, { defaultValue: step })}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "who",
    title: t("trail.who"),
    show: ({ person }) =>
      person ? (
        <Anchor component="button" type="button" size="sm" onClick={() => set({ person: person.id })}>
          {person.name || t("operator.audit.nameless")}
        </Anchor>
      ) : (
        t("trail.system")
      ),
  },
  {
    key: "house",
    title: t("operator.audit.organisation"),
    show: ({ house }) =>
      house ? (
        <Anchor component={ScreenLink} screen="auditSearch" search={{ organisation: house.id }} size="sm">
          {house.name || house.id}
        </Anchor>
      ) : (
        t("operator.audit.noOrganisation")
      ),
  },
  {
    key: "when",
    title: t("trail.when"),
    show: ({ at }) => <span className="arcada-figures">{showFullTime(at)}</span>,
  },
  {
    key: "subject",
    title: t("operator.audit.subject"),
    show: ({ subject }) =>
      subject ? (
        <Anchor component="button" type="button" size="xs" dir="ltr" onClick={() => set({ subject })}>
          {subject}
        </Anchor>
      ) : (
        "–"
      ),
  },
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
