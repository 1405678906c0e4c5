import { Select, Stack } from "@mantine/core";
import { useState } from "react";
import type { Member } from "@arcada/contract/member/member.calls";
import type { MemberAction } from "@arcada/contract/member/member.lifecycle";
import { useTexts } from "../i18n/texts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import type { ConfirmedAction } from "./member-action-emphasis.ts";
import { requiresInput, dangerousActions } from "./member-action-emphasis.ts";
import { listRoleOptions, usualRoleOption } from "./role-options.ts";
import { useMemberTransition } from "./use-member-transition.ts";

interface Props {
  member: Member;
  action: ConfirmedAction;
  onClose: (done: boolean) => void;
  /** Candidates to take over the open work; without candidates a manager does. */
  colleagues?: readonly Member[];
}

/**
 * Confirms a transition, with the role or the colleague that it needs. Stays open with the reason if it is rejected.
 */
export function TransitionDialog({ member, action, onClose, colleagues = [] }: Props) {
  const t = useTexts("member");
  const { step, busy, problem } = useMemberTransition({ shownBy: "form" });
  const choices = listRoleOptions(t, member.institution.type);
  const [role, setRole] = useState<string | null>(getInitialRole(member, action, choices));
  const [successor, setSuccessor] = useState<string | null>(null);
  const requiresRole = requiresInput(action, "role");
  const others = colleagues.filter(({ userId }) => userId !== null && userId !== member.userId);
  const confirm = async () => {
    const done = await step(member, action, {
      ...(requiresRole && role !== null && { authorityId: Number(role) }),
      ...(successor !== null && { colleagueId: successor }),
    });
    if (done) onClose(true);
  };
  const values = { name: member.name, institution: member.institution.name };
  return (
    <ConfirmDialog
      opened
      onClose={() => onClose(false)}
      onConfirm={() => void confirm()}
      busy={busy}
      danger={dangerousActions.includes(action)}
      title={t(`member.ask.${action}.title`, values)}
      text={t(`member.ask.${action}.text`, values)}
      confirm={t(`member.action.${action}`)}
      {...(withdrawActions.includes(action) && { cancel: t("common.back") })}
    >
      <Stack gap="md">
        {requiresRole && (
          <Select
            label={t("member.role")}
            data={choices}
            value={role}
            onChange={setRole}
            allowDeselect={false}
            data-autofocus
          />
        )}
        {requiresInput(action, "colleague") && others.length > 0 && (
          <Select
            label={t("member.heir")}
            description={t("member.heirText")}
            placeholder={t(action === "exit" ? "member.heirManager" : "member.heirSelf")}
            data={others.map(({ userId, name }) => ({ value: userId ?? "", label: name }))}
            value={successor}
            onChange={setSuccessor}
            searchable={others.length > 8}
            clearable
          />
        )}
        <FormError text={problem} />
      </Stack>
    </ConfirmDialog>
  );
}

/** Next to "cancel the invitation", a button "cancel" that only closes the dialog would be misunderstood. */
const withdrawActions: readonly MemberAction[] = ["cancelInvitation", "cancelApplication"];

/** An acceptance preselects the usual role; a change preselects another one. */
function getInitialRole(member: Member, action: MemberAction, choices: { value: string }[]): string | null {
  const now = String(member.authorityId);
  if (action === "changeRole") return choices.find(({ value }) => value !== now)?.value ?? null;
  return usualRoleOption(member.institution.type);
}
