import { Alert, Skeleton, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { CasePatient } from "@arcada/exchange/lab-case/lab-case";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { PatientPicker, describePatient } from "../form/patient-section.tsx";
import { describePatientName, matchPatient } from "./match-patient.ts";

interface CasePatientFieldProps {
  named: CasePatient;
  /** The patient of an order that has one already. */
  fixedId: string | null;
  chosenId: string;
  onChosen: (id: string) => void;
}

/** The patient whom the case names, and the one of the clinic who is meant. */
export function CasePatientField({ named, fixedId, ...choice }: CasePatientFieldProps) {
  const t = useTexts("labCase");
  const written = [describePatientName(named), named.number].filter(Boolean).join(" · ");
  return (
    <>
      <Text size="sm">{written ? t("labCase.patient.written", { name: written }) : t("labCase.patient.unnamed")}</Text>
      {fixedId === null ? <MatchedPatient named={named} {...choice} /> : <FixedPatient named={named} id={fixedId} />}
    </>
  );
}

/** Whoever opened the order for a patient is told if the files are another one's. */
function FixedPatient({ named, id }: { named: CasePatient; id: string }) {
  const t = useTexts("labCase");
  const { data: patient } = useCall(patientCalls.detail, { id });
  if (!patient || describePatientName(named) === "") return null;
  const match = matchPatient(named, [patient]);
  if (match && match.by !== "number") return null;
  return (
    <Alert color="orange" role="alert">
      {t("labCase.patient.differs", { name: patient.name })}
    </Alert>
  );
}

function MatchedPatient({ named, chosenId, onChosen }: Omit<CasePatientFieldProps, "fixedId">) {
  const t = useTexts("labCase");
  const name = describePatientName(named);
  // The list searches in one field after the other: the family name finds both ways of writing a full name.
  const byName = useSearch(named.lastName ?? name);
  const byNumber = useSearch(named.number ?? "");
  const isLoading = byName.isLoading || byNumber.isLoading;
  const rows = [...new Map([...byNumber.rows, ...byName.rows].map((row) => [row.id, row])).values()];
  const match = isLoading || chosenId !== "" ? null : matchPatient(named, rows);
  const [found, setFound] = useState<typeof match>(null);
  // The first match stays, so that the field can say how the patient was found.
  if (match && !found) setFound(match);
  const matchedId = match?.patient.id;
  useEffect(() => {
    if (matchedId !== undefined) onChosen(matchedId);
  }, [matchedId, onChosen]);
  if (isLoading) return <Skeleton h={60} />;
  return (
    <>
      <PatientPicker
        id={chosenId}
        start={{
          search: name,
          chosen: found ? { value: found.patient.id, label: describePatient(found.patient) } : null,
        }}
        error={undefined}
        onChosen={onChosen}
      />
      {found && found.patient.id === chosenId && (
        <Text size="xs" c={found.by === "numberAndName" ? "dimmed" : "var(--mantine-color-error)"}>
          {t(`labCase.patient.${found.by}`)}
        </Text>
      )}
    </>
  );
}

function useSearch(text: string) {
  const search = text.trim().slice(0, 60);
  const { data, isLoading } = useCall(patientCalls.list, { search, pageSize: 20 }, { enabled: search !== "" });
  return { rows: data?.list ?? [], isLoading: search !== "" && isLoading };
}
