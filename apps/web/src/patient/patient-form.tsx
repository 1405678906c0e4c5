import { Button, Drawer, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { dropDraft } from "../kernel/kept-draft.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCallForm } from "../kernel/use-form.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { DraftFound } from "../ui/draft-found.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { PatientChanged } from "./patient-changed.tsx";
import { PatientDuplicates } from "./patient-duplicates.tsx";
import { PatientFields } from "./patient-fields.tsx";
import { inputOf, merged, valuesOf } from "./patient-values.ts";
import type { PatientValues } from "./patient-values.ts";
import classes from "./patient-form.module.css";

interface Beginning {
  key: string;
  values: Partial<PatientValues>;
}
interface PatientFormProps {
  opened: boolean;
  onClose: () => void;
  /** The record to change; without it a new one is made. */
  patient?: Patient;
  /** Values of a new patient that are already known. Typed values are stored under its key. */
  begin?: Beginning;
  onSaved: (patient: Patient) => void;
}

/** The form for a new or an existing patient. Typed input is discarded only after confirmation. */
export function PatientForm({ opened, onClose, patient, begin, onSaved }: PatientFormProps) {
  const t = useTexts("patient");
  const [isDirty, setDirty] = useState(false);
  const [isAsking, asking] = useDisclosure(false);
  // Deferred, because the dialog would otherwise handle the same Escape key press.
  const leave = () => (isDirty ? setTimeout(asking.open) : close());
  const close = () => {
    setDirty(false);
    dropDraft(draftOf(patient ?? null, begin));
    asking.close();
    onClose();
  };
  return (
    <>
      <Drawer
        opened={opened}
        onClose={leave}
        closeOnEscape={!isAsking}
        position="right"
        size={680}
        title={patient ? t("patient.editTitle", { name: patient.name }) : t("patient.newTitle")}
        closeButtonProps={{ "aria-label": t("common.close") }}
        closeOnClickOutside={!isDirty}
        classNames={{ body: classes.body, content: classes.content, title: classes.title }}
      >
        <Form
          patient={patient ?? null}
          begin={begin}
          onDirty={setDirty}
          onCancel={leave}
          onSaved={(saved) => {
            toast("success", t("common.saved"));
            close();
            onSaved(saved);
          }}
        />
      </Drawer>
      <ConfirmDialog
        opened={isAsking}
        onClose={asking.close}
        onConfirm={close}
        title={t("patient.discard.title")}
        text={t("patient.discard.text")}
        confirm={t("patient.discard.confirm")}
        cancel={t("patient.discard.cancel")}
        danger
      />
    </>
  );
}

const draftOf = (patient: Patient | null, begin: Beginning | undefined): string =>
  patient ? `patient.${patient.id}.${patient.version}` : begin ? `patient.new.${begin.key}` : "patient.new";

interface FormProps {
  patient: Patient | null;
  begin: Beginning | undefined;
  onDirty: (isDirty: boolean) => void;
  onCancel: () => void;
  onSaved: (patient: Patient) => void;
}

function Form({ patient, begin, onDirty, onCancel, onSaved }: FormProps) {
  // The record as it was when the form opened, or the newer one after another user had changed it.
  const [seen, setSeen] = useState(patient);
  const call = useCallForm<typeof patientCalls.create | typeof patientCalls.update, PatientValues>(
    seen ? patientCalls.update : patientCalls.create,
    {
      defaults: { ...valuesOf(seen), ...begin?.values },
      draft: draftOf(patient, begin),
      input: (values) => (seen ? { ...inputOf(values), id: seen.id, version: seen.version } : inputOf(values)),
      done: onSaved,
      heard: ({ name }) => {
        // "Save anyway" applied to those candidates only, not to others that a changed name brings up.
        call.form.setValue("evenIfDuplicate", false);
        // Its details are the record, not field errors.
        if (name === "patientChanged") call.form.clearErrors();
      },
    },
  );
  const { form, refused } = call;
  // Values that a reload restored count as typed: discarding them requires confirmation.
  useEffect(() => onDirty(call.isRestored), [call.isRestored, onDirty]);
  const saveEven = () => {
    form.setValue("evenIfDuplicate", true);
    void call.submit();
  };
  const isSpecial = refused?.name === "patientDuplicate" || refused?.name === "patientChanged";
  return (
    <form className={classes.form} noValidate onSubmit={call.submit} onChange={() => onDirty(true)}>
      {call.isRestored && <DraftFound onStartOver={call.startOver} />}
      <PatientFields call={call} onDirty={() => onDirty(true)} />
      <footer className={classes.foot}>
        {refused?.name === "patientDuplicate" && (
          <PatientDuplicates refused={refused} isBusy={call.busy} onSaveEven={saveEven} />
        )}
        {refused?.name === "patientChanged" && seen && (
          <PatientChanged
            seen={seen}
            now={refused.details as Patient}
            onTake={(now) => {
              setSeen(now);
              form.reset(valuesOf(now));
              onDirty(false);
            }}
            onMerge={(now) => {
              form.reset(merged(valuesOf(seen), form.getValues(), valuesOf(now)));
              setSeen(now);
            }}
          />
        )}
        {!isSpecial && <FormProblem text={call.problem} />}
        <Buttons onCancel={onCancel} isBusy={call.busy} />
      </footer>
    </form>
  );
}

function Buttons({ onCancel, isBusy }: { onCancel: () => void; isBusy: boolean }) {
  const t = useTexts("common");
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={onCancel} disabled={isBusy}>
        {t("common.cancel")}
      </Button>
      <Button type="submit" loading={isBusy}>
        {t("common.save")}
      </Button>
    </Group>
  );
}
