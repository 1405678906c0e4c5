import { Modal, Stack, Text } from "@mantine/core";
import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import { useTexts } from "../kernel/texts.ts";
import { useCallForm } from "../kernel/use-form.ts";
import { FormFoot } from "../ui/form-foot.tsx";
import { noProof, ProofFields, proofOf, type Proof } from "../ui/proof-fields.tsx";

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
  const { form, submit, busy, problem, error } = useCallForm<typeof leavingCalls.export, Proof>(leavingCalls.export, {
    defaults: noProof,
    input: proofOf,
    done: onClose,
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("leaving.confirmText")}</Text>
        <ProofFields password={form.register("password")} code={form.register("code")} error={error} isFirst />
        <FormFoot problem={problem} send={t("leaving.begin")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}
