import { Button, Drawer, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { deleteDraft } from "../browser/drafts.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DraftNotice } from "../ui/form/draft-notice.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { PatientConflict } from "./patient-edit-conflict.tsx";
import { PatientDuplicates } from "./duplicate-patient-warning.tsx";
import { PatientFields } from "./patient-fields.tsx";
import { toInput, mergeValues, toValues } from "./patient-form-values.ts";
import type { PatientValues } from "./patient-form-values.ts";
import classes from "./patient-form.module.css";

interface InitialPatient {
  key: string;
  values: Partial<PatientValues>;
}
interface PatientFormProps {
  opened: boolean;
  onClose: () => void;
  /** The record to change; without it a new one is made. */
  patient?: Patient;
  /** Values of a new patient that are already known. Typed values are stored under its key. */
  initial?: InitialPatient;
  onSaved: (patient: Patient) => void;
}

/** The form for a new or an existing patient. Typed input is discarded only after confirmation. */
export function PatientForm({ opened, onClose, patient, initial, onSaved }: PatientFormProps) {
  const t = useTexts("patient");
  const [isDirty, setDirty] = useState(false);
  const [isConfirming, confirmation] = useDisclosure(false);
  // Deferred, because the dialog would otherwise handle the same Escape key press.
  const requestClose = () => (isDirty ? setTimeout(confirmation.open) : close());
  const close = () => {
    setDirty(false);
    deleteDraft(getDraftKey(patient ?? null, initial));
    confirmation.close();
    onClose();
  };
  return (
    <>
      <Drawer
        opened={opened}
        onClose={requestClose}
        closeOnEscape={!isConfirming}
        position="right"
        size={680}
        title={patient ? t("patient.editTitle", { name: patient.name }) : t("patient.newTitle")}
        closeButtonProps={{ "aria-label": t("common.close") }}
        closeOnClickOutside={!isDirty}
        classNames={{ body: classes.body, content: classes.content, title: classes.title }}
      >
        <Form
          patient={patient ?? null}
          initial={initial}
          onDirty={setDirty}
          onCancel={requestClose}
          onSaved={(saved) => {
            toast("success", t("common.saved"));
            close();
            onSaved(saved);
          }}
        />
      </Drawer>
      <ConfirmDialog
        opened={isConfirming}
        onClose={confirmation.close}
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

const getDraftKey = (patient: Patient | null, initial: InitialPatient | undefined): string =>
  patient ? `patient.${patient.id}.${patient.version}` : initial ? `patient.new.${initial.key}` : "patient.new";

interface FormProps {
  patient: Patient | null;
  initial: InitialPatient | undefined;
  onDirty: (isDirty: boolean) => void;
  onCancel: () => void;
  onSaved: (patient: Patient) => void;
}

function Form({ patient, initial, onDirty, onCancel, onSaved }: FormProps) {
  // The record as it was when the form opened, or the newer one after another user had changed it.
  const [base, setBase] = useState(patient);
  const call = useCallForm<typeof patientCalls.create | typeof patientCalls.update, PatientValues>(
    base ? patientCalls.update : patientCalls.create,
    {
      defaults: { ...toValues(base), ...initial?.values },
      draft: getDraftKey(patient, initial),
      input: (values) => (base ? { ...toInput(values), id: base.id, version: base.version } : toInput(values)),
      onSuccess: onSaved,
      onRefused: ({ name }) => {
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
  const saveAnyway = () => {
    form.setValue("evenIfDuplicate", true);
    void call.submit();
  };
  const isHandledBelow = refused?.name === "patientDuplicate" || refused?.name === "patientChanged";
  return (
    <form className={classes.form} noValidate onSubmit={call.submit} onChange={() => onDirty(true)}>
      {call.isRestored && <DraftNotice onStartOver={call.startOver} />}
      <PatientFields call={call} onDirty={() => onDirty(true)} />
      <footer className={classes.foot}>
        {refused?.name === "patientDuplicate" && (
          <PatientDuplicates refused={refused} isBusy={call.busy} onSaveAnyway={saveAnyway} />
        )}
        {refused?.name === "patientChanged" && base && (
          <PatientConflict
            base={base}
            current={refused.details as Patient}
            onTakeTheirs={(now) => {
              setBase(now);
              form.reset(toValues(now));
              onDirty(false);
            }}
            onMerge={(now) => {
              form.reset(mergeValues(toValues(base), form.getValues(), toValues(now)));
              setBase(now);
            }}
          />
        )}
        {!isHandledBelow && <FormError text={call.problem} />}
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
