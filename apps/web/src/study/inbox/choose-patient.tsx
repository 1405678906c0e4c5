import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { SearchBox } from "../../ui/form/search-box.tsx";
import { EmptyState, LoadingState } from "../../ui/page-states.tsx";
import classes from "./inbox.module.css";

export type ChosenPatient = Pick<PatientRow, "id" | "name" | "number" | "sex" | "birthDate">;

interface ChoosePatientProps {
  /** The patient to whom the images already belong. This patient is left out of the choice. */
  excludedId?: string | null;
  isBusy: boolean;
  onChosen: (patient: ChosenPatient) => void;
}

const maxPatients = 8;

/** Finds a patient by a free search. Before any input it lists the patients with the most recent visits. */
export function ChoosePatient({ excludedId = null, isBusy, onChosen }: ChoosePatientProps) {
  const t = useTexts("inbox");
  const [search, setSearch] = useState("");
  const found = useCall(
    patientCalls.list,
    { ...(search && { search }), pageSize: maxPatients + 1 },
    { keepPrevious: true },
  );
  const label = t(search === "" ? "inbox.choose.recent" : "inbox.choose.found");
  return (
    <Stack gap="sm">
      <SearchBox value="" onSearch={setSearch} label={t("inbox.choose.search")} focusOnOpen />
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <QueryResult
        of={found}
        loading={<LoadingState lines={4} />}
        isEmpty={({ list }) => list.every(({ id }) => id === excludedId)}
        empty={<EmptyState title={t("inbox.choose.none")} />}
      >
        {({ list }) => (
          <ul className={classes.found} aria-label={label} aria-busy={found.isPlaceholderData}>
            {list
              .filter(({ id }) => id !== excludedId)
              .slice(0, maxPatients)
              .map((patient) => (
                <li key={patient.id}>
                  <PatientIdentity patient={patient} />
                  <Button
                    size="compact-sm"
                    variant="light"
                    disabled={isBusy}
                    aria-label={`${t("inbox.choose.pick")}: ${patient.name} ${patient.number}`}
                    onClick={() => onChosen(patient)}
                  >
                    {t("inbox.choose.pick")}
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </QueryResult>
    </Stack>
  );
}

/** A patient in two lines: the name, and the data that distinguishes namesakes. */
export function PatientIdentity({ patient }: { patient: ChosenPatient }) {
  const t = useTexts("common");
  return (
    <div className={classes.who}>
      <Text size="sm" fw={600} truncate>
        {patient.name}
      </Text>
      <Text size="xs" c="dimmed" className="arcada-figures">
        {[t(`common.sex.${patient.sex}`), patient.birthDate && formatDay(patient.birthDate), patient.number]
          .filter(Boolean)
          .join(" · ")}
      </Text>
    </div>
  );
}
