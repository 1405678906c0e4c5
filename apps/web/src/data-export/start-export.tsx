import { Modal, Stack, Text } from "@mantine/core";
import { dataExportCalls } from "@arcada/contract/data-export/data-export.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import {
  emptyProof,
  IdentityProofFields,
  toProofInput,
  type IdentityProof,
} from "../ui/form/identity-proof-fields.tsx";

/** Asks for the password or a code again: the export contains every patient. */
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
  const { form, submit, busy, problem, error } = useCallForm<typeof dataExportCalls.export, IdentityProof>(
    dataExportCalls.export,
    {
      defaults: emptyProof,
      input: toProofInput,
      onSuccess: onClose,
    },
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("leaving.confirmText")}</Text>
        <IdentityProofFields password={form.register("password")} code={form.register("code")} error={error} isFirst />
        <FormFooter problem={problem} submitLabel={t("leaving.begin")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}
