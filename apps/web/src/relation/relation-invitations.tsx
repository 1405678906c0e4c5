import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { RelationInvitation } from "@arcada/contract/relation/relation.calls";
import { relationRules } from "@arcada/contract/relation/relation.lifecycle";
import { formatDay } from "../i18n/format.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { Section } from "../ui/page.tsx";
import classes from "./relation.module.css";

/** Invites a person by e-mail to join with their institution. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts("relation");
  const { form, submit, busy, problem, error } = useCallForm(relationCalls.invite, {
    defaults: { email: "", name: "" },
    onSuccess: ({ email }) => {
      toast("success", t("relation.invited", { email }));
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("relation.inviteTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("relation.inviteText", { days: relationRules.inviteDays })}
          </Text>
          {problem && <FormError text={problem} />}
          <TextInput
            label={t("relation.email")}
            type="email"
            required
            data-autofocus
            maxLength={200}
            error={error("email")}
            {...form.register("email")}
          />
          <TextInput label={t("relation.inviteName")} maxLength={60} error={error("name")} {...form.register("name")} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy}>
              {t("relation.inviteSend")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The pending invitations; nothing if there are none. */
export function Invitations() {
  const t = useTexts("relation");
  const mayWithdraw = useCanAccess(relationCalls.withdraw);
  const { data = [] } = useCall(relationCalls.invitations, {});
  const withdraw = useCommand(relationCalls.withdraw);
  const [withdrawing, setWithdrawing] = useState<RelationInvitation | null>(null);
  if (data.length === 0) return null;
  const withdrawInvitation = async ({ id }: RelationInvitation) => {
    if (await withdraw.run({ id })) toast("success", t("relation.withdrawn"));
    setWithdrawing(null);
  };
  return (
    <Section title={t("relation.invitations")} description={t("relation.invitationsText")}>
      <ul className={classes.found}>
        {data.map((one) => (
          <li key={one.id}>
            <Group justify="space-between" gap="sm">
              <div className={classes.words}>
                <Text size="sm" fw={600} className={classes.said}>
                  {one.name ? `${one.name} · ${one.email}` : one.email}
                </Text>
                <Text size="xs" c="dimmed">
                  {t("relation.validUntil", { day: formatDay(one.validUntil) })}
                </Text>
              </div>
              {mayWithdraw && (
                <Button size="sm" variant="default" onClick={() => setWithdrawing(one)}>
                  {t("relation.withdraw")}
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
      {withdrawing && (
        <ConfirmDialog
          opened
          onClose={() => setWithdrawing(null)}
          onConfirm={() => void withdrawInvitation(withdrawing)}
          busy={withdraw.busy}
          title={t("relation.withdrawTitle")}
          text={t("relation.withdrawText", { email: withdrawing.email })}
          confirm={t("relation.withdraw")}
        />
      )}
    </Section>
  );
}
