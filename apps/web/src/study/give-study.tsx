import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { showDay } from "../kernel/format.ts";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ChoosePatient, WhoIsIt } from "./choose-patient.tsx";
import type { ChosenPatient } from "./choose-patient.tsx";
import { dayOf } from "./study-kinds.ts";
import classes from "./inbox.module.css";

type Named = { name: string; birthDate: string | null };
type Given = Pick<StudyRow, "id" | "patientId" | "kind" | "takenAt" | "createdAt">;

export interface GivingStudy {
  isBusy: boolean;
  /** The person named in the files, if it differs from the patient and the user must confirm the assignment. */
  mismatch: Named | null;
  /** Returns true if the study now belongs to the patient. */
  give: (patient: ChosenPatient, more?: { reason?: string; isSure?: boolean }) => Promise<boolean>;
  forget: () => void;
}

/** Assigns a study from the inbox to a patient, or moves a study to another patient. */
export function useGiveStudy(study: Given): GivingStudy {
  const t = useTexts("inbox");
  const [mismatch, setMismatch] = useState<Named | null>(null);
  const attach = useCommand(studyCalls.attach, { shownBy: "form" });
  const move = useCommand(inboxCalls.move, { shownBy: "form" });
  const heard = (refused: RefusedAnswer) => {
    if (refused.name === "patientMismatch") setMismatch(refused.details as Named);
  };
  const give: GivingStudy["give"] = async (patient, { reason = "", isSure = false } = {}) => {
    const wish = { id: study.id, patientId: patient.id, acceptMismatch: isSure };
    const done = study.patientId
      ? await move.run({ ...wish, from: study.patientId, reason }, heard)
      : await attach.run(wish, heard);
    if (done) toast("success", t("inbox.attached", { name: patient.name }));
    return done !== null;
  };
  return { isBusy: attach.busy || move.busy, mismatch, give, forget: () => setMismatch(null) };
}

interface GiveProps {
  study: Given;
  opened: boolean;
  onClose: () => void;
  onGiven?: () => void;
  /** Set if a patient is already chosen and the files name another person. */
  asked?: { patient: ChosenPatient; mismatch: Named };
}

/** Asks for the patient to whom the images belong. */
export function GiveStudy({ study, opened, onClose, onGiven, asked }: GiveProps) {
  const t = useTexts("inbox", "study");
  const title = study.patientId
    ? t("inbox.move.title", { kind: t(`study.kind.${study.kind}`), day: dayOf(study) })
    : t("inbox.choose.title");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Steps
        study={study}
        asked={asked}
        onDone={() => {
          onClose();
          onGiven?.();
        }}
      />
    </Modal>
  );
}

interface StepsProps {
  study: Given;
  asked: GiveProps["asked"];
  onDone: () => void;
}

function Steps({ study, asked, onDone }: StepsProps) {
  const giving = useGiveStudy(study);
  const [chosen, setChosen] = useState<ChosenPatient | null>(asked?.patient ?? null);
  const mismatch = giving.mismatch ?? (chosen && chosen === asked?.patient ? asked.mismatch : null);
  const give = async (patient: ChosenPatient, reason: string) => {
    if (await giving.give(patient, { reason, isSure: mismatch !== null })) onDone();
  };
  const choose = (patient: ChosenPatient) => {
    setChosen(patient);
    // A study from the inbox needs no further input.
    if (!study.patientId) void give(patient, "");
  };
  const back = () => {
    giving.forget();
    setChosen(null);
  };
  if (!chosen || (!study.patientId && !mismatch))
    return <ChoosePatient without={study.patientId} isBusy={giving.isBusy} onChosen={choose} />;
  return (
    <Confirm
      patient={chosen}
      mismatch={mismatch}
      needsReason={study.patientId !== null}
      isBusy={giving.isBusy}
      onBack={back}
      onConfirm={(reason) => void give(chosen, reason)}
    />
  );
}

interface ConfirmProps {
  patient: ChosenPatient;
  mismatch: Named | null;
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
          <WhoIsIt patient={patient} />
        </div>
      )}
      {needsReason && (
        <Textarea
          label={t("inbox.move.reason")}
          required
          autosize
          minRows={2}
          maxRows={6}
          maxLength={studyRules.reasonMost}
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

function Mismatch({ files, patient }: { files: Named; patient: Named }) {
  const t = useTexts("inbox");
  return (
    <Alert color="yellow" title={t("inbox.mismatch.title")} role="alert" classNames={{ title: classes.alertTitle }}>
      <dl className={classes.compared}>
        <Compared term={t("inbox.inFiles")} named={files} />
        <Compared term={t("inbox.mismatch.patient")} named={patient} />
      </dl>
    </Alert>
  );
}

const Compared = ({ term, named }: { term: ReactNode; named: Named }) => (
  <>
    <dt>{term}</dt>
    <dd>{named.name || "–"}</dd>
    <dd className="arcada-figures">{showDay(named.birthDate)}</dd>
  </>
);
