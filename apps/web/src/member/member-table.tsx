import { Badge, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { findRole } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Member, MemberTab } from "@arcada/contract/member/member.calls";
import type { MemberAction } from "@arcada/contract/member/member.lifecycle";
import { mayHaveLicence } from "@arcada/contract/member/member.lifecycle";
import { formatDay } from "../i18n/format.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { primaryActions, needsConfirmation } from "./member-action-emphasis.ts";
import { stateColours } from "./member-state-colours.ts";
import type { ConfirmedAction } from "./member-action-emphasis.ts";
import { LicenceDialog } from "./licence-dialog.tsx";
import { TransitionDialog } from "./transition-dialog.tsx";
import { useMemberTransition } from "./use-member-transition.ts";
import classes from "./member.module.css";

interface Props {
  part: MemberTab;
  members: readonly Member[];
  ownId: string;
  onLeft: () => void;
}

/** Each record with one button for every action that the server permits to the user. */
export function MemberTable({ part, members, ownId, onLeft }: Props) {
  const t = useTexts("member");
  const { step, busy } = useMemberTransition();
  const [confirming, setConfirming] = useState<{ member: Member; action: ConfirmedAction } | null>(null);
  const [licensed, setLicensed] = useState<Member | null>(null);
  const isOfClinic = members[0]?.institution.type === "clinic";
  const mayKeepLicences = useCanAccess(memberCalls.setLicence) && isOfClinic;
  const press = (member: Member, action: MemberAction) =>
    needsConfirmation(action) ? setConfirming({ member, action }) : void step(member, action);
  const close = (done: boolean) => {
    if (done && confirming?.action === "exit") onLeft();
    setConfirming(null);
  };
  const hasActions = members.some(({ actions }) => actions.length > 0);
  return (
    <>
      <DataTable
        label={t(`member.part.${part}`)}
        columns={buildColumns(t, part, ownId, mayKeepLicences ? setLicensed : null)}
        rows={members}
        rowKey={({ id }) => id}
        {...(hasActions && {
          actionsTitle: t("common.actions"),
          actions: (member: Member) =>
            member.actions.map((action) => (
              <Button
                key={action}
                size="sm"
                variant={primaryActions.includes(action) ? "filled" : "default"}
                disabled={busy}
                onClick={() => press(member, action)}
                aria-label={`${t(`member.action.${action}`)}: ${member.name}`}
              >
                {t(`member.action.${action}`)}
              </Button>
            )),
        })}
      />
      {licensed && <LicenceDialog member={licensed} onClose={() => setLicensed(null)} />}
      {confirming && (
        <TransitionDialog
          member={confirming.member}
          action={confirming.action}
          colleagues={part === "members" ? members : []}
          onClose={close}
        />
      )}
    </>
  );
}

const renderDigits = (text: string | null) => <span className={`arcada-figures ${classes.digits}`}>{text ?? "–"}</span>;

const nameColumn = (t: Translate, part: MemberTab, ownId: string): Column<Member> => ({
  key: "name",
  title: t("member.name"),
  narrow: "head",
  show: (member) => (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={member.name} imageUrl={member.headerImg} size={32} />
      <Text size="sm" fw={600}>
        {member.name}
      </Text>
      {member.userId === ownId && part === "members" && (
        <Badge size="sm" variant="light">
          {t("member.you")}
        </Badge>
      )}
    </Group>
  ),
});

const licenceColumn = (t: Translate, keepLicence: (member: Member) => void): Column<Member> => ({
  key: "licence",
  title: t("member.licence"),
  show: (one) =>
    mayHaveLicence(one.authorityId) ? (
      <Button
        size="compact-sm"
        variant={one.licence ? "subtle" : "light"}
        className="arcada-figures"
        onClick={() => keepLicence(one)}
        aria-label={
          one.licence
            ? `${t("member.licenceChange")}: ${one.licence}, ${one.name}`
            : `${t("member.licenceAdd")}: ${one.name}`
        }
      >
        {one.licence ?? t("member.licenceAdd")}
      </Button>
    ) : (
      "–"
    ),
});

/** An invitation without a name is listed by its address, which need not stand there twice. */
const showEmail = ({ name, email }: Member): string => (email === null || email === name ? "–" : email);

/** @param keepLicence opens the dialog of a licence number; null if the reader may not change it. */
function buildColumns(
  t: Translate,
  part: MemberTab,
  ownId: string,
  keepLicence: ((member: Member) => void) | null,
): Column<Member>[] {
  const name = nameColumn(t, part, ownId);
  const role: Column<Member> = {
    key: "role",
    title: t("member.role"),
    show: ({ authorityId }) => (authorityId === 0 ? "–" : t(`common.role.${findRole(authorityId)}`)),
  };
  const phone: Column<Member> = { key: "phone", title: t("member.phone"), show: (one) => renderDigits(one.phone) };
  const email: Column<Member> = { key: "email", title: t("member.email"), show: showEmail };
  const status: Column<Member> = {
    key: "status",
    title: t("member.status"),
    show: ({ state }) => (
      <Badge variant="light" color={stateColours[state]}>
        {t(`member.state.${state}`)}
      </Badge>
    ),
  };
  const operator: Column<Member> = { key: "operator", title: t("member.operator"), show: (one) => one.operator ?? "–" };
  const dateColumn = (
    key: "joined" | "sent" | "asked" | "ended" | "until",
    of: (one: Member) => string | null,
  ): Column<Member> => ({
    key,
    title: t(`member.${key}`),
    show: (one) => renderDigits(formatDay(of(one))),
  });
  const remark: Column<Member> = { key: "remark", title: t("member.remark"), show: (one) => one.remark ?? "–" };
  const columns: Record<MemberTab, Column<Member>[]> = {
    members: [
      name,
      role,
      ...(keepLicence ? [licenceColumn(t, keepLicence)] : []),
      phone,
      email,
      dateColumn("joined", (one) => one.joinedAt),
      status,
      operator,
    ],
    invitations: [
      name,
      email,
      role,
      dateColumn("sent", (one) => one.joinedAt),
      dateColumn("until", (one) => one.expiresAt),
      operator,
    ],
    applications: [name, phone, email, dateColumn("asked", (one) => one.joinedAt), remark],
    history: [name, role, email, status, dateColumn("ended", (one) => one.endedAt), operator],
  };
  return columns[part];
}
