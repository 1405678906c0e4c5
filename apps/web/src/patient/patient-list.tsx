import { ActionIcon, Button } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconTrash, IconUserPlus } from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import type { ReactNode } from "react";
import { useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState, LoadingState } from "../ui/page-states.tsx";
import { useNewDialog } from "../ui/use-new-dialog.ts";
import { ExportPatients } from "./export-patients.tsx";
import { PatientCards } from "./patient-cards.tsx";
import { PatientFilters } from "./patient-filters.tsx";
import { PatientTable } from "./patient-table.tsx";
import { HoverTooltip } from "../ui/overlays/hover-tooltip.tsx";
import classes from "./patient-list.module.css";
import { parseFilter, isTotalCapped, isFiltered, filterFields, usePatients } from "./use-filtered-patients.ts";
import type { PatientFilter } from "./use-filtered-patients.ts";

// The list is shown before the form is needed.
const PatientForm = lazy(async () => ({ default: (await import("./patient-form.tsx")).PatientForm }));

/** The clinic's patients with a free search, newest visit first. An address with `new` opens the form of a new one. */
export function PatientList() {
  const t = useTexts("patient");
  const go = useOpenScreen();
  const setSearch = useSetSearchParams();
  const filter = parseFilter(useSearchParams());
  const [clearCount, setClearCount] = useState(0);
  const [isNew, showForm] = useNewDialog();
  const clear = () => {
    setSearch(Object.fromEntries(filterFields.map((field) => [field, undefined])));
    setClearCount((count) => count + 1);
  };
  const newPatient = (
    <Button leftSection={<IconUserPlus size={18} stroke={1.8} aria-hidden />} onClick={() => showForm(true)}>
      {t("patient.new")}
    </Button>
  );
  return (
    <PageBody
      title={t("patient.title")}
      description={t("patient.says")}
      actions={<ListActions filter={filter} newPatient={newPatient} />}
    >
      <Section flush>
        <PatientFilters key={clearCount} filter={filter} typed={filter.search ?? ""} />
        <PatientResults filter={filter} newPatient={newPatient} onClear={clear} />
      </Section>
      {isNew && (
        <Suspense>
          <PatientForm opened onClose={() => showForm(false)} onSaved={({ id }) => go("patientDetail", { id })} />
        </Suspense>
      )}
    </PageBody>
  );
}

const PatientBin = lazy(async () => ({ default: (await import("./patient-bin.tsx")).PatientBin }));

function ListActions({ filter, newPatient }: { filter: PatientFilter; newPatient: ReactNode }) {
  const t = useTexts("patient");
  const [isBinOpen, bin] = useDisclosure(false);
  return (
    <>
      <HoverTooltip label={t("patient.bin.title")}>
        <ActionIcon variant="default" size={36} aria-label={t("patient.bin.title")} onClick={bin.open}>
          <IconTrash size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </HoverTooltip>
      <ExportPatients filter={filter} />
      {newPatient}
      {isBinOpen && (
        <Suspense>
          <PatientBin onClose={bin.close} />
        </Suspense>
      )}
    </>
  );
}

interface PatientResultsProps {
  filter: PatientFilter;
  newPatient: ReactNode;
  onClear: () => void;
}

function PatientResults({ filter, newPatient, onClear }: PatientResultsProps) {
  const t = useTexts("patient");
  const patients = usePatients(filter);
  const Rows = useIsNarrow() ? PatientCards : PatientTable;
  const total = patients.data?.total ?? 0;
  const all = t(isTotalCapped(filter, total) ? "patient.moreThan" : "patient.count", { count: total });
  return (
    <QueryResult
      of={patients}
      loading={<LoadingState lines={8} />}
      isEmpty={({ list }) => list.length === 0}
      empty={<EmptyPatientList filter={filter} newPatient={newPatient} onClear={onClear} />}
    >
      {({ list }) => (
        <div className={classes.found} aria-busy={patients.isPlaceholderData}>
          <Rows patients={list} filter={filter} />
          <LoadMore
            query={patients}
            summary={patients.hasNextPage ? t("patient.shownOf", { shown: list.length, total: all }) : all}
            label={t("patient.showMore")}
          />
        </div>
      )}
    </QueryResult>
  );
}

function EmptyPatientList({ filter, newPatient, onClear }: PatientResultsProps) {
  const t = useTexts("patient");
  if (!isFiltered(filter))
    return (
      <EmptyState title={t("patient.none.yet")} text={t("patient.none.yetText")}>
        {newPatient}
      </EmptyState>
    );
  return (
    <EmptyState title={t("patient.none.found")} text={t("patient.none.foundText")}>
      <Button variant="default" onClick={onClear}>
        {t("patient.none.clear")}
      </Button>
      {newPatient}
    </EmptyState>
  );
}

const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 47.99em)", window.innerWidth < 768, { getInitialValueInEffect: false }) ?? false;
