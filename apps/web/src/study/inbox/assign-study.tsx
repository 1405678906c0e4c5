import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { moveStudyCalls } from "@arcada/contract/study/move-study.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { studyRules } from "@arcada/contract/study/study.rules";
import { formatDay } from "../../i18n/format.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { ChoosePatient, PatientIdentity } from "./choose-patient.tsx";
import type { ChosenPatient } from "./choose-patient.tsx";
import { formatStudyDay } from "../study-kinds.ts";
import classes from "./inbox.module.css";

type NamedPerson = { name: string; birthDate: string | null };
type AssignableStudy = Pick<StudyRow, "id" | "patientId" | "kind" | "takenAt" | "createdAt">;

export interface StudyAssignment {
  isBusy: boolean;
  /** The person named in the files, if it differs from the patient and the user must confirm the assignment. */
  mismatch: NamedPerson | null;
  /** Returns true if the study now belongs to the patient. */
  assign: (patient: ChosenPatient, more?: { reason?: string; isSure?: boolean }) => Promise<boolean>;
  forget: () => void;
}

/** Assigns a study from the inbox to a patient, or moves a study to another patient. */
export function useStudyAssignment(study: AssignableStudy): StudyAssignment {
  const t = useTexts("inbox");
  const [mismatch, setMismatch] = useState<NamedPerson | null>(null);
  const attach = useCommand(studyCalls.attach, { shownBy: "form" });
  const move = useCommand(moveStudyCalls.move, { shownBy: "form" });
  const handleRefused = (refused: RefusalError) => {
    if (refused.name === "patientMismatch") setMismatch(refused.details as NamedPerson);
  };
  const assign: StudyAssignment["assign"] = async (patient, { reason = "", isSure = false } = {}) => {
    const request = { id: study.id, patientId: patient.id, acceptMismatch: isSure };
    const done = study.patientId
      ? await move.run({ ...request, from: study.patientId, reason }, handleRefused)
      : await attach.run(request, handleRefused);
    if (done) toast("success", t("inbox.attached", { name: patient.name }));
    return done !== null;
  };
  return { isBusy: attach.busy || move.busy, mismatch, assign, forget: () => setMismatch(null) };
}

interface AssignStudyProps {
  study: AssignableStudy;
  opened: boolean;
  onClose: () => void;
  onAssigned?: () => void;
  /** Set if a patient is already chosen and the files name another person. */
  preset?: { patient: ChosenPatient; mismatch: NamedPerson };
}

/** Asks for the patient to whom the images belong. */
export function AssignStudy({ study, opened, onClose, onAssigned, preset }: AssignStudyProps) {
  const t = useTexts("inbox", "study");
  const title = study.patientId
    ? t("inbox.move.title", { kind: t(`study.kind.${study.kind}`), day: formatStudyDay(study) })
    : t("inbox.choose.title");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <AssignmentSteps
        study={study}
        preset={preset}
        onDone={() => {
          onClose();
          onAssigned?.();
        }}
      />
    </Modal>
  );
}

interface StepsProps {
  study: AssignableStudy;
  preset: AssignStudyProps["preset"];
  onDone: () => void;
}

function AssignmentSteps({ study, preset, onDone }: StepsProps) {
  const assignment = useStudyAssignment(study);
  const [chosen, setChosen] = useState<ChosenPatient | null>(preset?.patient ?? null);
  const mismatch = assignment.mismatch ?? (chosen && chosen === preset?.patient ? preset.mismatch : null);
  const assign = async (patient: ChosenPatient, reason: string) => {
    if (await assignment.assign(patient, { reason, isSure: mismatch !== null })) onDone();
  };
  const choose = (patient: ChosenPatient) => {
    setChosen(patient);
    // A study from the inbox needs no further input.
    if (!study.patientId) void assign(patient, "");
  };
  const goBack = () => {
    assignment.forget();
    setChosen(null);
  };
  if (!chosen || (!study.patientId && !mismatch))
    return <ChoosePatient excludedId={study.patientId} isBusy={assignment.isBusy} onChosen={choose} />;
  return (
    <Confirm
      patient={chosen}
      mismatch={mismatch}
      needsReason={study.patientId !== null}
      isBusy={assignment.isBusy}
      onBack={goBack}
      onConfirm={(reason) => void assign(chosen, reason)}
    />
  );
}

interface ConfirmProps {
  patient: ChosenPatient;
  mismatch: NamedPerson | null;
  needsReason: boolean;
  isBusy: boolean;
  onBack: () => void;
  onConfirm: (reason: string) => void;
}

function Confirm({ patient, mismatch, needsReason, isBusy, onBack, onConfirm }: ConfirmProps) {
  const t = useTexts("inbox");
  const [reason, setReason] = useState("");
  return (
    <Stack gap="md">
      {needsReason && (
        <div>
          <Text size="xs" c="dimmed">
            {t("inbox.move.to")}
          </Text>
          <PatientIdentity patient={patient} />
        </div>
      )}
      {needsReason && (
        <Textarea
          label={t("inbox.move.reason")}
          required
          autosize
          minRows={2}
          maxRows={6}
          maxLength={studyRules.maxReasonLength}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {mismatch && <Mismatch files={mismatch} patient={patient} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={isBusy} onClick={onBack}>
          {t("inbox.choose.back")}
        </Button>
        <Button
          loading={isBusy}
          disabled={needsReason && reason.trim() === ""}
          onClick={() => onConfirm(reason.trim())}
        >
          {mismatch ? t("inbox.mismatch.accept", { name: patient.name }) : t("inbox.move.confirm")}
        </Button>
      </Group>
    </Stack>
  );
}

function Mismatch({ files, patient }: { files: NamedPerson; patient: NamedPerson }) {
  const t = useTexts("inbox");
  return (
    <Alert color="yellow" title={t("inbox.mismatch.title")} role="alert" classNames={{ title: classes.alertTitle }}>
      <dl className={classes.compared}>
        <ComparedPerson term={t("inbox.inFiles")} person={files} />
        <ComparedPerson term={t("inbox.mismatch.patient")} person={patient} />
      </dl>
    </Alert>
  );
}

const ComparedPerson = ({ term, person }: { term: ReactNode; person: NamedPerson }) => (
  <>
    <dt>{term}</dt>
    <dd>{person.name || "–"}</dd>
    <dd className="arcada-figures">{formatDay(person.birthDate)}</dd>
  </>
);
