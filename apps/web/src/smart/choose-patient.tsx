import { Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import { useCall } from "../data/use-call.ts";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState, LoadingState } from "../ui/page-states.tsx";
import { QueryResult } from "../ui/query-result.tsx";

type ChosenPatient = Pick<PatientRow, "id" | "name" | "number" | "birthDate">;

const maxPatients = 6;

/** Finds a patient by a free search. Before any input it lists the patients with the most recent visits. */
export function ChoosePatient({ onChosen }: { onChosen: (id: string) => void }) {
  const t = useTexts("smart");
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<ChosenPatient | null>(null);
  const found = useCall(
    patientCalls.list,
    { ...(search && { search }), pageSize: maxPatients },
    { keepPrevious: true },
  );
  // A further search must not hide who is chosen.
  const withChosen = (list: readonly ChosenPatient[]): readonly ChosenPatient[] =>
    chosen && !list.some(({ id }) => id === chosen.id) ? [chosen, ...list] : list;
  const choose = (list: readonly ChosenPatient[], id: string) => {
    setChosen(list.find((patient) => patient.id === id) ?? null);
    onChosen(id);
  };
  return (
    <Stack gap="sm">
      <SearchBox value="" onSearch={setSearch} label={t("smart.consent.search")} />
      <QueryResult
        of={found}
        loading={<LoadingState lines={4} />}
        isEmpty={({ list }) => withChosen(list).length === 0}
        empty={<EmptyState title={t("smart.consent.nobody")} />}
      >
        {({ list }) => (
          <Radio.Group
            aria-label={t("smart.consent.choose")}
            value={chosen?.id ?? null}
            onChange={(id) => choose(withChosen(list), id)}
          >
            <Stack gap="xs" aria-busy={found.isPlaceholderData}>
              {withChosen(list).map(({ id, name, number, birthDate }) => (
                <Radio
                  key={id}
                  value={id}
                  label={name}
                  description={[number, birthDate && formatDay(birthDate)].filter(Boolean).join(" · ")}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}
      </QueryResult>
    </Stack>
  );
}
