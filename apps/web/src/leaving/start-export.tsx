import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import { useTexts } from "../kernel/texts.ts";
import { useCallForm } from "../kernel/use-form.ts";
import { FormProblem } from "../ui/form-problem.tsx";

interface Values {
  password: string;
  code: string;
}

/** Asks once more who it is: what leaves here holds every patient. */
export function StartExport({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts("leaving");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("leaving.confirmTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Form onClose={onClose} />
    </Modal>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const t = useTexts("leaving");
  const { form, submit, busy, problem, error } = useCallForm<typeof leavingCalls.export, Values>(leavingCalls.export, {
    defaults: { password: "", code: "" },
    input: ({ password, code }) => ({
      ...(password !== "" && { password }),
      ...(code.trim() !== "" && { code: code.trim() }),
    }),
    done: onClose,
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("leaving.confirmText")}</Text>
        <PasswordInput
          label={t("leaving.password")}
          autoComplete="current-password"
          data-autofocus
          {...form.register("password")}
          error={error("password")}
        />
        <TextInput
          label={t("leaving.code")}
          autoComplete="one-time-code"
          inputMode="numeric"
          dir="ltr"
          {...form.register("code")}
          error={error("code")}
        />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t("leaving.begin")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
