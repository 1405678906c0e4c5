import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Clinic, ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormError } from "../ui/form/form-error.tsx";
import { formatPlace } from "./clinic-text.ts";

interface Props {
  opened: boolean;
  onClose: () => void;
  clinic: ClinicDetail;
}

/** Links a clinic that has registered since: its two records are merged. */
export function LinkClinic({ opened, onClose, clinic }: Props) {
  const t = useTexts("clinic");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("clinic.linkTitle", { name: clinic.name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Form clinic={clinic} onClose={onClose} />
    </Modal>
  );
}

function Form({ clinic, onClose }: { clinic: ClinicDetail; onClose: () => void }) {
  const t = useTexts("clinic");
  const language = useLanguage();
  const go = useOpenScreen();
  const call = useCallForm<typeof clinicCalls.link, { number: string }>(clinicCalls.link, {
    defaults: { number: "" },
    input: ({ number }) => ({ id: clinic.id, version: clinic.version, number: number.trim() }),
    removedIds: ({ id }) => [id],
    onSuccess: ({ id }) => {
      toast("success", t("clinic.linked"));
      onClose();
      go("clinicDetail", { id }, { replace: true });
    },
  });
  const target = useAccountByNumber(call.form.watch("number").trim());
  return (
    <form onSubmit={(event) => void call.submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("clinic.linkText")}</Text>
        <TextInput
          label={t("clinic.linkNumber")}
          required
          data-autofocus
          inputMode="numeric"
          maxLength={40}
          error={call.error("number")}
          {...call.form.register("number")}
        />
        {target && (
          <Text size="sm" fw={600} role="status">
            {t("clinic.linkInto", { name: target.name, place: formatPlace(target, language) })}
          </Text>
        )}
        <FormError text={call.problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={call.busy} disabled={!target}>
            {t("clinic.link")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const numberPattern = /^\d{8}$/;
/** Finds the account with this number, so that the user sees its name before two records are merged. */
function useAccountByNumber(number: string): Clinic | undefined {
  const isComplete = numberPattern.test(number);
  const { data } = useCall(clinicCalls.list, { search: number, pageSize: 5 }, { enabled: isComplete });
  return isComplete ? data?.list.find((one) => one.number === number && one.institutionId !== null) : undefined;
}
