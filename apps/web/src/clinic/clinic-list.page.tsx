import { Badge, Button, Group, Select, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMailPlus, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Clinic } from "@arcada/contract/clinic/clinic.calls";
import { clinicKinds } from "@arcada/contract/clinic/clinic.rules";
import type { Input } from "@arcada/contract/kernel/call";
import { useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import type { Language, Translate } from "../i18n/texts.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { ClinicForm } from "./clinic-form.tsx";
import { formatPhone, formatPlace } from "./clinic-text.ts";
import classes from "./clinic.module.css";
import { OpenInstitutionAccount } from "./create-institution-account.tsx";
import { RegionFields } from "./region-fields.tsx";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";

/** The clinics that after-sales looks after, with their devices. */
export function Page() {
  const t = useTexts("clinic");
  const go = useOpenScreen();
  const { search = "", country = "", province = "", city = "", has } = useSearchParams();
  const setSearch = useSetSearchParams();
  const [isNew, createDialog] = useDisclosure(false);
  const [isOpening, opening] = useDisclosure(false);
  const [clearCount, setClearCount] = useState(0);
  const clear = () => {
    setSearch({ search: undefined, country: undefined, province: undefined, city: undefined, has: undefined });
    setClearCount((count) => count + 1);
  };
  const mayMake = useCanAccess(clinicCalls.create);
  return (
    <PageBody
      title={t("clinic.title")}
      description={t("clinic.says")}
      actions={mayMake && <CreateButtons onOpen={opening.open} onMake={createDialog.open} />}
    >
      <Section flush>
        <div className={classes.filters}>
          <div className={classes.search}>
            <SearchBox
              key={clearCount}
              value={search}
              onSearch={(text) => setSearch({ search: text })}
              label={t("clinic.search")}
            />
          </div>
          <RegionFields isFilter value={{ country, province, city }} onChange={(place) => setSearch({ ...place })} />
          <Select
            label={t("clinic.has")}
            placeholder={t("clinic.all")}
            clearable
            data={clinicKinds.map((kind) => ({ value: kind, label: t(`clinic.kind.${kind}`) }))}
            value={parseKind(has) ?? null}
            onChange={(kind) => setSearch({ has: kind ?? undefined })}
          />
        </div>
        <ClinicResults
          filter={parseFilter({ search, country, province, city, has })}
          onClear={clear}
          onOpen={({ id }) => go("clinicDetail", { id })}
        />
      </Section>
      {mayMake && <OpenInstitutionAccount opened={isOpening} onClose={opening.close} />}
      {mayMake && (
        <ClinicForm opened={isNew} onClose={createDialog.close} onSaved={({ id }) => go("clinicDetail", { id })} />
      )}
    </PageBody>
  );
}

function CreateButtons({ onOpen, onMake }: { onOpen: () => void; onMake: () => void }) {
  const t = useTexts("clinic");
  return (
    <Group gap="sm">
      <Button variant="default" leftSection={<IconMailPlus size={18} aria-hidden />} onClick={onOpen}>
        {t("clinic.openAccount")}
      </Button>
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={onMake}>
        {t("clinic.new")}
      </Button>
    </Group>
  );
}

const parseKind = (text: string | undefined) => clinicKinds.find((kind) => kind === text);
const parseFilter = (search: Record<string, string | undefined>): ClinicFilter => ({
  search: search["search"] ?? "",
  country: search["country"] || undefined,
  province: search["province"] || undefined,
  city: search["city"] || undefined,
  has: parseKind(search["has"]),
});

type ClinicFilter = Pick<Input<typeof clinicCalls.list>, "search" | "country" | "province" | "city" | "has">;

/** The clinics that a search and its filters find, page after page. */
const useClinics = (filter: ClinicFilter) =>
  usePagedList(queryKeyOf(clinicCalls.list, filter), (pageParam, signal) =>
    send(clinicCalls.list, { ...filter, ...pageParam }, { signal }),
  );

interface ClinicResultsProps {
  filter: ClinicFilter;
  onClear: () => void;
  onOpen: (clinic: Clinic) => void;
}

function ClinicResults({ filter, onClear, onOpen }: ClinicResultsProps) {
  const t = useTexts("clinic");
  const language = useLanguage();
  const clinics = useClinics(filter);
  const emptyState = Object.values(filter).some(Boolean) ? (
    <EmptyState title={t("clinic.noSuch")} text={t("clinic.noSuchText")}>
      <Button variant="default" onClick={onClear}>
        {t("common.clear")}
      </Button>
    </EmptyState>
  ) : (
    <EmptyState title={t("clinic.empty")} text={t("clinic.emptyText")} />
  );
  return (
    <QueryResult of={clinics} isEmpty={({ list }) => list.length === 0} empty={emptyState}>
      {({ list, total }) => (
        <div aria-busy={clinics.isPlaceholderData}>
          <DataTable
            label={t("clinic.clinics")}
            columns={buildColumns(t, language)}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={onOpen}
          />
          <LoadMore query={clinics} summary={t("clinic.count", { count: total })} label={t("clinic.more")} />
        </div>
      )}
    </QueryResult>
  );
}

const buildColumns = (t: Translate, language: Language): Column<Clinic>[] => [
  {
    key: "name",
    title: t("clinic.name"),
    narrow: "head",
    opens: "button",
    show: ({ name, address, institutionId }) => (
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {institutionId === null && (
            <Badge variant="light" color="gray" size="sm">
              {t("clinic.noAccount")}
            </Badge>
          )}
        </Group>
        {address && (
          <Text size="xs" c="dimmed" fw={400}>
            <bdi>{address}</bdi>
          </Text>
        )}
      </div>
    ),
  },
  { key: "number", title: t("clinic.number"), show: ({ number }) => <span className="arcada-figures">{number}</span> },
  { key: "place", title: t("clinic.place"), show: (row) => formatPlace(row, language) },
  {
    key: "contact",
    title: t("clinic.contact"),
    show: (row) => <bdi>{[row.leader, formatPhone(row)].filter(Boolean).join(" · ") || "–"}</bdi>,
  },
  {
    key: "devices",
    title: t("clinic.devices"),
    align: "end",
    show: ({ devices, isOpen }) => <span className="arcada-figures">{isOpen ? devices : "–"}</span>,
  },
  {
    key: "openWork",
    title: t("clinic.openWork"),
    align: "end",
    show: ({ openWork, isOpen }) =>
      openWork > 0 ? <Badge variant="light">{openWork}</Badge> : <span>{isOpen ? 0 : "–"}</span>,
  },
];
