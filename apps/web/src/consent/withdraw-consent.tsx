import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { consentCalls, type ConsentKind } from "@arcada/contract/consent/consent.calls";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormError } from "../ui/form/form-error.tsx";

interface Props {
  kind: ConsentKind;
  patientId: string;
  patientName: string;
  onClose: () => void;
}

/** Records the withdrawal of a patient's consent. */
export function WithdrawConsent({ kind, patientId, patientName, onClose }: Props) {
  const t = useTexts("consent");
  const { form, submit, busy, problem, error } = useCallForm<
    typeof consentCalls.withdraw,
    { by: string; note: string }
  >(consentCalls.withdraw, {
    defaults: { by: patientName, note: "" },
    input: ({ by, note }) => ({ patientId, kind, by, note: note || null }),
    onSuccess: () => {
      toast("success", t("consent.takenBack"));
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("consent.withdraw.title", { kind: t(`consent.kind.${kind}`) })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Text size="sm">{t("consent.withdraw.text")}</Text>
          <TextInput label={t("consent.withdraw.by")} withAsterisk error={error("by")} {...form.register("by")} />
          <TextInput label={t("consent.withdraw.note")} error={error("note")} {...form.register("note")} />
          <FormError text={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" color="red" loading={busy}>
              {t("consent.withdraw.action")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
