import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { useGo } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCallForm } from "../kernel/use-form.ts";
import { FormProblem } from "../ui/form-problem.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  clinic: ClinicDetail;
}

/** The clinic has registered meanwhile: its two records become one. */
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
  const go = useGo();
  const call = useCallForm<typeof clinicCalls.link, { number: string }>(clinicCalls.link, {
    defaults: { number: "" },
    input: ({ number }) => ({ id: clinic.id, version: clinic.version, number: number.trim() }),
    done: ({ id }) => {
      toast("success", t("clinic.linked"));
      onClose();
      go("clinicDetail", { id }, { replace: true });
    },
  });
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
        <FormProblem text={call.problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={call.busy}>
            {t("clinic.link")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
