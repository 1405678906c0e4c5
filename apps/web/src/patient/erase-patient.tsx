import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { patientRecordCalls, type Erasure } from "@arcada/contract/patient/patient-timeline-and-erasure.calls";
import { formatDay } from "../i18n/format.ts";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import {
  emptyProof,
  IdentityProofFields,
  toProofInput,
  type IdentityProof,
} from "../ui/form/identity-proof-fields.tsx";

interface Props {
  patient: Patient;
  onClose: () => void;
}

/** Shows the data that will be erased and the obstacles, and asks for the number, the reason and the password. */
export function ErasePatient({ patient, onClose }: Props) {
  const t = useTexts("patient");
  const query = useCall(patientRecordCalls.erasure, { id: patient.id });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("patient.erase.title", { name: patient.name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <QueryResult of={query}>
        {(erasure) => <Form patient={patient} erasure={erasure} onClose={onClose} />}
      </QueryResult>
    </Modal>
  );
}

interface Values extends IdentityProof {
  number: string;
  reason: string;
}

function Form({ patient, erasure, onClose }: Props & { erasure: Erasure }) {
  const t = useTexts("patient");
  const go = useOpenScreen();
  const { form, submit, busy, problem, error } = useCallForm<typeof patientRecordCalls.erase, Values>(
    patientRecordCalls.erase,
    {
      defaults: { number: "", reason: "", ...emptyProof },
      input: ({ number, reason, ...proof }) => ({
        id: patient.id,
        number: number.trim(),
        reason: reason.trim() || null,
        ...toProofInput(proof),
      }),
      onSuccess: () => {
        toast("success", t("patient.erase.done"));
        go("patientList");
      },
    },
  );
  const { studies, files, visits, openOrders, isHeld, isBusy, number } = erasure;
  const isBlocked = openOrders > 0 || isBusy;
  const isIncomplete =
    form.watch("number").trim().toUpperCase() !== number || (isHeld && form.watch("reason").trim() === "");
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <Text size="sm">{t("patient.erase.text", { studies, files, visits })}</Text>
        <ErasureObstacles erasure={erasure} />
        <TextInput
          label={t("patient.erase.number", { number })}
          autoComplete="off"
          dir="ltr"
          data-autofocus
          {...form.register("number")}
          error={error("number")}
        />
        <Textarea
          label={t("patient.erase.reason")}
          description={t("patient.erase.reasonText")}
          required={isHeld}
          maxLength={500}
          autosize
          minRows={2}
          {...form.register("reason")}
          error={error("reason")}
        />
        <IdentityProofFields password={form.register("password")} code={form.register("code")} error={error} />
        <FormError text={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" color="red" loading={busy} disabled={isBlocked || isIncomplete}>
            {t("patient.erase.action")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The reasons that block the erasure, or that require a justification. */
function ErasureObstacles({ erasure: { openOrders, isBusy, isHeld, heldUntil, years } }: { erasure: Erasure }) {
  const t = useTexts("patient");
  return (
    <>
      {openOrders > 0 && <Alert color="red">{t("patient.erase.orders", { count: openOrders })}</Alert>}
      {isBusy && <Alert color="red">{t("patient.erase.busy")}</Alert>}
      {isHeld && <Alert color="yellow">{t("patient.erase.held", { day: formatDay(heldUntil), count: years })}</Alert>}
    </>
  );
}
