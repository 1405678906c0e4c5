import { Badge, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { roleOf } from "@arcada/contract/kernel/roles";
import type { Member, MemberPart } from "@arcada/contract/member/member.calls";
import type { MemberAction } from "@arcada/contract/member/member.cycle";
import { showDay } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Person } from "../ui/person.tsx";
import { colours, first, isAsked } from "./member-words.ts";
import { StepDialog } from "./step-dialog.tsx";
import { useMemberStep } from "./use-member-step.ts";

interface Props {
  part: MemberPart;
  members: readonly Member[];
  self: string;
  onGone: () => void;
}

/** Each record with one button for every action that the server permits to the user. */
export function MemberTable({ part, members, self, onGone }: Props) {
  const t = useTexts("member");
  const { step, busy } = useMemberStep();
  const [asking, setAsking] = useState<{ member: Member; action: MemberAction } | null>(null);
  const press = (member: Member, action: MemberAction) =>
    isAsked(action) ? setAsking({ member, action }) : void step(member, action);
  const close = (done: boolean) => {
    if (done && asking?.action === "exit") onGone();
    setAsking(null);
  };
  const isActing = members.some(({ actions }) => actions.length > 0);
  return (
    <>
      <DataTable
        label={t(`member.part.${part}`)}
        columns={columnsOf(t, part, self)}
        rows={members}
        rowKey={({ id }) => id}
        {...(isActing && {
          actionsTitle: t("common.actions"),
          actions: (member: Member) =>
            member.actions.map((action) => (
              <Button
                key={action}
                size="sm"
                variant={first.includes(action) ? "filled" : "default"}
                disabled={busy}
                onClick={() => press(member, action)}
                aria-label={`${t(`member.action.${action}`)}: ${member.name}`}
              >
                {t(`member.action.${action}`)}
              </Button>
            )),
        })}
      />
      {asking && (
        <StepDialog
          member={asking.member}
          action={asking.action}
          colleagues={part === "members" ? members : []}
          onClose={close}
        />
      )}
    </>
  );
}

const figures = (text: string | null) => <span className="arcada-figures">{text ?? "–"}</span>;

function columnsOf(t: Translate, part: MemberPart, self: string): Column<Member>[] {
  const name: Column<Member> = {
    key: "name",
    title: t("member.name"),
    narrow: "head",
    show: (member) => (
      <Group gap="sm" wrap="nowrap">
        <Person name={member.name} picture={member.headerImg} size={32} />
        <Text size="sm" fw={600}>
          {member.name}
        </Text>
        {member.userId === self && part === "members" && (
          <Badge size="sm" variant="light">
            {t("member.you")}
          </Badge>
        )}
      </Group>
    ),
  };
  const role: Column<Member> = {
    key: "role",
    title: t("member.role"),
    show: ({ authorityId }) => (authorityId === 0 ? "–" : t(`common.role.${roleOf(authorityId)}`)),
  };
  const phone: Column<Member> = { key: "phone", title: t("member.phone"), show: (one) => figures(one.phone) };
  const email: Column<Member> = { key: "email", title: t("member.email"), show: (one) => one.email ?? "–" };
  const status: Column<Member> = {
    key: "status",
    title: t("member.status"),
    show: ({ state }) => (
      <Badge variant="light" color={colours[state]}>
        {t(`member.state.${state}`)}
      </Badge>
    ),
  };
  const operator: Column<Member> = { key: "operator", title: t("member.operator"), show: (one) => one.operator ?? "–" };
  const on = (
    key: "joined" | "sent" | "asked" | "ended" | "until",
    of: (one: Member) => string | null,
  ): Column<Member> => ({
    key,
    title: t(`member.${key}`),
    show: (one) => figures(showDay(of(one))),
  });
  const remark: Column<Member> = { key: "remark", title: t("member.remark"), show: (one) => one.remark ?? "–" };
  const columns: Record<MemberPart, Column<Member>[]> = {
    members: [name, role, phone, email, on("joined", (one) => one.joinedAt), status, operator],
    invitations: [name, email, role, on("sent", (one) => one.joinedAt), on("until", (one) => one.expiresAt), operator],
    applications: [name, phone, email, on("asked", (one) => one.joinedAt), remark],
    history: [name, role, email, status, on("ended", (one) => one.endedAt), operator],
  };
  return columns[part];
}
