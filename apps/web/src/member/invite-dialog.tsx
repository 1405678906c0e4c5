import { Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Member } from "@arcada/contract/member/member.calls";
import { memberRules } from "@arcada/contract/member/member.lifecycle";
import { refetchTopic } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { listRoleOptions, usualRoleOption } from "./role-options.ts";

interface Props {
  type: Member["institution"]["type"];
  onClose: () => void;
}
interface Values {
  email: string;
  name: string;
  authorityId: string;
}

/** Invites a person by an email to their address. */
export function InviteDialog({ type, onClose }: Props) {
  const t = useTexts("member");
  const choices = listRoleOptions(t, type);
  const { form, submit, busy, problem, error } = useCallForm<typeof memberCalls.invite, Values>(memberCalls.invite, {
    defaults: { email: "", name: "", authorityId: usualRoleOption(type) },
    input: ({ email, name, authorityId }) => ({
      email: email.trim(),
      authorityId: Number(authorityId),
      ...(name.trim() && { name }),
    }),
    onSuccess: (_, { email }) => {
      refetchTopic("member");
      toast("success", t("member.invited", { email: email.trim() }));
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t("member.invite")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("member.inviteText", { days: memberRules.invitationDays })}
          </Text>
          <TextInput
            label={t("member.email")}
            type="email"
            inputMode="email"
            autoComplete="off"
            required
            data-autofocus
            {...form.register("email")}
            error={error("email")}
          />
          <TextInput label={t("member.inviteName")} {...form.register("name")} error={error("name")} />
          <RoleField form={form} choices={choices} problem={error("authorityId")} />
          <FormFooter problem={problem} submitLabel={t("member.sendInvitation")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

interface RoleFieldProps {
  form: UseFormReturn<Values>;
  choices: { value: string; label: string }[];
  problem: string | undefined;
}

function RoleField({ form, choices, problem }: RoleFieldProps) {
  const t = useTexts("member");
  return (
    <Controller
      control={form.control}
      name="authorityId"
      render={({ field }) => (
        <Select
          label={t("member.role")}
          data={choices}
          allowDeselect={false}
          value={field.value}
          onChange={(value) => field.onChange(value ?? "")}
          onBlur={field.onBlur}
          error={problem}
        />
      )}
    />
  );
}
