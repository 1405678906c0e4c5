import { Modal, Stack, Text, TextInput } from "@mantine/core";
import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Member } from "@arcada/contract/member/member.calls";
import { memberRules } from "@arcada/contract/member/member.lifecycle";
import { toast } from "../browser/toast.ts";
import { refetchTopic } from "../data/query-client.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { useTexts } from "../i18n/texts.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";

/** Keeps the licence number of a dentist. An empty field removes it. */
export function LicenceDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTexts("member");
  const { form, submit, busy, problem, error } = useCallForm<typeof memberCalls.setLicence, { licence: string }>(
    memberCalls.setLicence,
    {
      defaults: { licence: member.licence ?? "" },
      input: ({ licence }) => ({ id: member.id, version: member.version, licence: licence.trim() || null }),
      onSuccess: () => {
        refetchTopic("member");
        toast("success", t("common.saved"));
        onClose();
      },
      onRefused: () => refetchTopic("member"),
    },
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("member.licenceOf", { name: member.name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("member.licenceText")}
          </Text>
          <TextInput
            label={t("member.licence")}
            maxLength={memberRules.licence}
            dir="ltr"
            data-autofocus
            {...form.register("licence")}
            error={error("licence")}
          />
          <FormFooter problem={problem} submitLabel={t("common.save")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
