import { Badge, Button, Group, Modal, Stack, Text, Switch } from "@mantine/core";
import { IconDoorEnter } from "@tabler/icons-react";
import { useState } from "react";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { findRole } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Member } from "@arcada/contract/member/member.calls";
import { memberLifecycle } from "@arcada/contract/member/member.lifecycle";
import type { MemberAction, MemberParty } from "@arcada/contract/member/member.lifecycle";
import { formatDay } from "../i18n/format.ts";
import { useSignedInUser, refetchCurrentUser } from "../session/current-user.ts";
import { useTexts, translateDynamic } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { useSettingsForm } from "../ui/sections/unsaved-changes.ts";
import { ApplyDialog } from "./membership-application-dialog.tsx";
import { primaryActions, needsConfirmation } from "./member-action-emphasis.ts";
import { stateColours } from "./member-state-colours.ts";
import type { ConfirmedAction } from "./member-action-emphasis.ts";
import { TransitionDialog } from "./transition-dialog.tsx";
import { useMemberTransition } from "./use-member-transition.ts";
import { SwitchInstitutionButton } from "./switch-institution-button.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import classes from "./member.module.css";

/** The user's own invitations, applications and memberships with the possible actions. Ended ones are listed below. */
export function MyMemberships() {
  const t = useTexts("member");
  const user = useSignedInUser();
  const query = useCall(memberCalls.mine, { page: 1, pageSize: pageSizes.max });
  const [isApplying, setApplying] = useState(false);
  const [confirming, setConfirming] = useState<{ member: Member; action: ConfirmedAction } | null>(null);
  const [joined, setJoined] = useState<Member | null>(null);
  const { step, busy } = useMemberTransition();
  const press = async (member: Member, action: MemberAction) => {
    if (needsConfirmation(action)) return setConfirming({ member, action });
    const next = await step(member, action);
    if (next && action === "accept") setJoined(next);
  };
  const close = (done: boolean) => {
    // A user who leaves their active institution starts over without it.
    if (done && confirming?.action === "exit" && confirming.member.institution.iid === user.iid) location.assign("/");
    setConfirming(null);
  };
  return (
    <Section
      title={t("member.mine")}
      description={t("member.mineText")}
      actions={
        <Button variant="light" leftSection={<IconDoorEnter size={18} />} onClick={() => setApplying(true)}>
          {t("member.apply")}
        </Button>
      }
    >
      <QueryResult
        of={query}
        isEmpty={({ list }) => list.length === 0}
        empty={<EmptyState title={t("member.mineEmpty")} text={t("member.mineEmptyText")} />}
      >
        {({ list }) => <MembershipList all={list} busy={busy} onPress={(one, action) => void press(one, action)} />}
      </QueryResult>
      {/* Before that, the page is not one of settings. */}
      {user.institution && <LaunchSwitch />}
      {isApplying && <ApplyDialog onClose={() => setApplying(false)} />}
      {confirming && <TransitionDialog member={confirming.member} action={confirming.action} onClose={close} />}
      {joined && <JoinedDialog member={joined} onClose={() => setJoined(null)} />}
    </Section>
  );
}

/** Programs of the institution may sign in only users who allow it here. */
function LaunchSwitch() {
  const t = useTexts("member");
  const user = useSignedInUser();
  const may = useCanAccess(memberCalls.allowLaunch);
  const allow = useCommand(memberCalls.allowLaunch);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOn = chosen ?? user.launchAllowed;
  const save = async () => {
    if (!(await allow.run({ on: isOn }))) return;
    await refetchCurrentUser();
    setChosen(null);
    toast("success", t("common.saved"));
  };
  useSettingsForm({ isDirty: isOn !== user.launchAllowed, save, discard: () => setChosen(null) });
  if (!may || !user.institution) return null;
  return (
    <Switch
      label={t("member.launch", { institution: user.institution.name })}
      description={t("member.launchText")}
      checked={isOn}
      disabled={allow.busy}
      onChange={(event) => setChosen(event.currentTarget.checked)}
    />
  );
}

interface MembershipListProps {
  all: readonly Member[];
  busy: boolean;
  onPress: (member: Member, action: MemberAction) => void;
}

function MembershipList({ all, busy, onPress }: MembershipListProps) {
  const t = useTexts("member");
  const [showsOld, setShowsOld] = useState(false);
  const [open, old] = [all.filter(({ endedAt }) => !endedAt), all.filter(({ endedAt }) => endedAt)];
  const rows = (members: readonly Member[]) => (
    <ul className={classes.list}>
      {members.map((one) => (
        <MembershipRow key={one.id} one={one} busy={busy} onPress={(action) => onPress(one, action)} />
      ))}
    </ul>
  );
  return (
    <Stack gap="sm">
      {open.length > 0 && rows(open)}
      {old.length > 0 && (
        <Button variant="subtle" size="sm" aria-expanded={showsOld} onClick={() => setShowsOld(!showsOld)}>
          {t(showsOld ? "member.hideHistory" : "member.showHistory", { count: old.length })}
        </Button>
      )}
      {showsOld && rows(old)}
    </Stack>
  );
}

function MembershipRow({
  one,
  busy,
  onPress,
}: {
  one: Member;
  busy: boolean;
  onPress: (action: MemberAction) => void;
}) {
  const t = useTexts("member");
  const getLabel = (action: MemberAction) => t(action === "return" ? "member.applyAgain" : `member.action.${action}`);
  // The list of members holds the actions that a manager has on any record, including their own.
  const actions = one.actions.filter((action) =>
    (memberLifecycle.steps[action].by as readonly MemberParty[]).includes("self"),
  );
  const facts = [
    one.institution.number,
    one.authorityId === 0 ? "" : t(`common.role.${findRole(one.authorityId)}`),
    one.kind === "invitation" && one.expiresAt && !one.endedAt
      ? t("member.validUntil", { day: formatDay(one.expiresAt) })
      : formatDay(one.endedAt ?? one.joinedAt),
  ];
  return (
    <Group component="li" className={classes.row} justify="space-between" wrap="nowrap">
      <div className={classes.words}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {one.institution.name}
          </Text>
          <Badge size="sm" variant="light" color={stateColours[one.state]}>
            {translateDynamic(t, `member.mineState.${one.kind}.${one.state}`, "")}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {facts.filter(Boolean).join(" · ")}
        </Text>
      </div>
      {actions.length > 0 && (
        <Group gap="xs" className={classes.buttons}>
          {actions.map((action) => (
            <Button
              key={action}
              size="sm"
              variant={primaryActions.includes(action) ? "filled" : "default"}
              disabled={busy}
              onClick={() => onPress(action)}
              aria-label={`${getLabel(action)}: ${one.institution.name}`}
            >
              {getLabel(action)}
            </Button>
          ))}
        </Group>
      )}
    </Group>
  );
}

function JoinedDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTexts("member");
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("member.joinedTitle", { institution: member.institution.name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Text size="sm">{t("member.joinedText")}</Text>
        <Group justify="flex-end">
          <Button variant="default" size="sm" onClick={onClose}>
            {t("member.later")}
          </Button>
          <SwitchInstitutionButton iid={member.institution.iid} />
        </Group>
      </Stack>
    </Modal>
  );
}
