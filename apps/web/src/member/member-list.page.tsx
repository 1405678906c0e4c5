import { Badge, Box, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { roleOf } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { showDay } from "../kernel/format.ts";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { Person } from "../ui/person.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { EmptyState } from "../ui/states.tsx";

type Member = Output<typeof memberCalls.list>[number];

/** Who works in the organisation. */
export function Page() {
  const t = useTexts("member");
  const user = useUser();
  const query = useCall(memberCalls.list, {});
  const [search, setSearch] = useState("");
  const found = (members: Member[]) => members.filter((member) => matches(member, search));
  return (
    <PageBody title={t("member.title")} says={t("member.says")}>
      <Section flush>
        <Box p="md" maw={420}>
          <SearchBox value="" onSearch={setSearch} label={t("member.search")} wait={120} />
        </Box>
        <Answer of={query} empty={<EmptyState title={t("member.empty")} />}>
          {(members) =>
            found(members).length === 0 ? (
              <EmptyState title={t("common.nothingFound")} />
            ) : (
              <DataTable
                label={t("member.title")}
                columns={columnsOf(t, user.id)}
                rows={found(members)}
                rowKey={({ id }) => id}
              />
            )
          }
        </Answer>
      </Section>
    </PageBody>
  );
}

const matches = ({ name, phone, email }: Member, search: string): boolean =>
  [name, phone, email].some((value) => value?.toLowerCase().includes(search.toLowerCase()));

const columnsOf = (t: Translate, self: string): Column<Member>[] => [
  {
    key: "name",
    title: t("member.name"),
    narrow: "head",
    show: ({ name, userId }) => (
      <Group gap="sm" wrap="nowrap">
        <Person name={name} size={32} />
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {userId === self && (
          <Badge size="sm" variant="light">
            {t("member.you")}
          </Badge>
        )}
      </Group>
    ),
  },
  { key: "role", title: t("member.role"), show: ({ authorityId }) => t(`common.role.${roleOf(authorityId)}`) },
  {
    key: "phone",
    title: t("member.phone"),
    show: ({ phone }) => <span className="arcada-figures">{phone ?? "–"}</span>,
  },
  { key: "email", title: t("member.email"), show: ({ email }) => email ?? "–" },
  {
    key: "joined",
    title: t("member.joined"),
    show: ({ joinedAt }) => <span className="arcada-figures">{showDay(joinedAt)}</span>,
  },
  {
    key: "status",
    title: t("member.status"),
    show: ({ status }) => (
      <Badge variant="light" color="teal">
        {status === 2 ? t("member.normal") : status}
      </Badge>
    ),
  },
];
