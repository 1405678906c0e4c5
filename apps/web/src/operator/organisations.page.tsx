import { Button, Center, Select, Text } from "@mantine/core";
import type { Input } from "@arcada/contract/kernel/call";
import { operatorCalls, type Organisation } from "@arcada/contract/operator/operator.calls";
import { send } from "../data/ask.ts";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { queryKeyOf } from "../data/query-client.ts";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import type { Language, Translate } from "../i18n/texts.ts";
import { usePagedList } from "../data/use-paged-list.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { getCountryName } from "./country-name.ts";
import { formatGigabytes } from "./format-gigabytes.ts";
import { OrganisationDrawer } from "./organisation-drawer.tsx";
import classes from "./operator.module.css";

type OrganisationFilter = Omit<Input<typeof operatorCalls.organisations>, "cursor" | "pageSize">;

/** All institutions on the platform with their usage, but without their data. */
export function Page() {
  const t = useTexts("operator");
  const address = useSearchParams();
  const set = useSetSearchParams();
  const filter = parseFilter(address);
  const found = useOrganisations(filter);
  return (
    <PageBody title={t("operator.organisations.title")} description={t("operator.organisations.says")}>
      <Section flush>
        <OrganisationFilters filter={filter} countries={found.data?.countries ?? []} />
        <QueryResult
          of={found}
          isEmpty={({ list }) => list.length === 0}
          empty={<EmptyState title={t("operator.organisations.none")} />}
        >
          {(data) => <OrganisationList data={data} found={found} onOpen={(id) => set({ id })} />}
        </QueryResult>
      </Section>
      {address["id"] && <OrganisationDrawer id={address["id"]} onClose={() => set({ id: undefined })} />}
    </PageBody>
  );
}

const parseFilter = ({ search, type, country }: SearchParams): OrganisationFilter => ({
  ...(search && { search }),
  ...((type === "clinic" || type === "lab") && { type }),
  ...(country && /^[A-Z]{2}$/.test(country) && { country }),
});

const useOrganisations = (filter: OrganisationFilter) =>
  usePagedList(queryKeyOf(operatorCalls.organisations, filter), ({ cursor }, signal) =>
    send(operatorCalls.organisations, { ...filter, ...(cursor && { cursor }) }, { signal }),
  );

function OrganisationFilters({ filter, countries }: { filter: OrganisationFilter; countries: readonly string[] }) {
  const t = useTexts("operator");
  const set = useSetSearchParams();
  const language = useLanguage();
  return (
    <div className={classes.filters}>
      <SearchBox
        value={filter.search ?? ""}
        onSearch={(search) => set({ search })}
        label={t("operator.organisations.search")}
      />
      <Select
        aria-label={t("operator.organisations.type")}
        placeholder={t("operator.organisations.type")}
        clearable
        clearButtonProps={{ "aria-label": t("common.clear") }}
        data={(["clinic", "lab"] as const).map((type) => ({ value: type, label: t(`common.institutionType.${type}`) }))}
        value={filter.type ?? null}
        onChange={(type) => set({ type: type ?? undefined })}
      />
      <Select
        aria-label={t("operator.organisations.country")}
        placeholder={t("operator.organisations.country")}
        clearable
        searchable
        clearButtonProps={{ "aria-label": t("common.clear") }}
        nothingFoundMessage={t("common.nothingFound")}
        data={countries.map((code) => ({ value: code, label: getCountryName(code, language) }))}
        value={filter.country ?? null}
        onChange={(country) => set({ country: country ?? undefined })}
      />
    </div>
  );
}

interface OrganisationListProps {
  data: { list: Organisation[]; total: number };
  found: ReturnType<typeof useOrganisations>;
  onOpen: (id: string) => void;
}
function OrganisationList({ data: { list, total }, found, onOpen }: OrganisationListProps) {
  const t = useTexts("operator");
  const language = useLanguage();
  return (
    <div aria-busy={found.isPlaceholderData}>
      <DataTable
        label={t("operator.organisations.title")}
        columns={buildColumns(t, language)}
        rows={list}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
      />
      <Center p="md">
        <Text size="sm" c="dimmed" role="status" me="md">
          {t("common.total", { count: total })}
        </Text>
        {found.hasNextPage && (
          <Button
            variant="default"
            size="sm"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("operator.more")}
          </Button>
        )}
      </Center>
    </div>
  );
}

const buildColumns = (t: Translate, language: Language): Column<Organisation>[] => [
  {
    key: "name",
    title: t("operator.organisations.name"),
    narrow: "head",
    opens: "button",
    show: ({ name, number }) => (
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" fw={400} className="arcada-figures">
          {number}
        </Text>
      </div>
    ),
  },
  { key: "type", title: t("operator.organisations.type"), show: ({ type }) => t(`common.institutionType.${type}`) },
  {
    key: "country",
    title: t("operator.organisations.country"),
    show: ({ country }) => getCountryName(country, language),
  },
  {
    key: "members",
    title: t("operator.organisations.members"),
    align: "end",
    show: ({ members }) => <span className="arcada-figures">{members}</span>,
  },
  {
    key: "storage",
    title: t("operator.organisations.storage"),
    align: "end",
    show: ({ usedBytes, allowedBytes }) => (
      <span className="arcada-figures">
        {t("operator.gigabytes", { used: formatGigabytes(usedBytes), allowed: formatGigabytes(allowedBytes) })}
      </span>
    ),
  },
  {
    key: "created",
    title: t("operator.organisations.created"),
    show: ({ createdAt }) => <span className="arcada-figures">{formatDay(createdAt)}</span>,
  },
  {
    key: "active",
    title: t("operator.organisations.active"),
    show: ({ lastActive }) => <span className="arcada-figures">{formatTimestamp(lastActive)}</span>,
  },
];
