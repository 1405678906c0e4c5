import { Alert, Skeleton, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { CasePatient } from "@arcada/exchange/lab-case/lab-case";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { PatientPicker, describePatient } from "../form/patient-section.tsx";
import { describePatientName, matchPatient } from "./match-patient.ts";
import type { PatientMatch } from "./match-patient.ts";

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

/** Tells people who opened the order for a patient if the files are another one's. */
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
  const name = describePatientName(named);
  // The list searches in one field after the other: the family name finds both ways of writing a full name.
  const byName = useSearch(named.lastName ?? name);
  const byNumber = useSearch(named.number ?? "");
  const isLoading = byName.isLoading || byNumber.isLoading;
  const rows = [...new Map([...byNumber.rows, ...byName.rows].map((row) => [row.id, row])).values()];
  const [found, setFound] = useState<ReturnType<typeof matchPatient<(typeof rows)[number]>>>(null);
  // The first match stays, so that the field can say how the patient was found.
  const match = isLoading || found || chosenId !== "" ? null : matchPatient(named, rows);
  if (match) setFound(match);
  // A number alone may be another patient's here: it is told, not chosen.
  const matchedId = found && found.by !== "number" ? found.patient.id : undefined;
  useEffect(() => {
    if (matchedId !== undefined) onChosen(matchedId);
  }, [matchedId, onChosen]);
  if (isLoading) return <Skeleton h={60} />;
  return (
    <>
      <PatientPicker
        key={matchedId}
        id={chosenId}
        start={found && matchedId ? { value: matchedId, label: describePatient(found.patient) } : null}
        error={undefined}
        onChosen={onChosen}
      />
      <MatchNote match={found} chosenId={chosenId} />
    </>
  );
}

/** Says how the patient was found, as long as this patient is chosen. */
function MatchNote({
  match,
  chosenId,
}: {
  match: PatientMatch<{ id: string; name: string; number: string }> | null;
  chosenId: string;
}) {
  const t = useTexts("labCase");
  const isShown = match && (match.by === "number" ? chosenId === "" : chosenId === match.patient.id);
  if (!isShown) return null;
  return (
    <Text size="xs" c={match.by === "numberAndName" ? "dimmed" : "var(--mantine-color-error)"}>
      {t(`labCase.patient.${match.by}`, { name: match.patient.name, number: match.patient.number })}
    </Text>
  );
}

function useSearch(text: string) {
  const search = text.trim().slice(0, 60);
  const { data, isLoading } = useCall(patientCalls.list, { search, pageSize: 20 }, { enabled: search !== "" });
  return { rows: data?.list ?? [], isLoading: search !== "" && isLoading };
}
