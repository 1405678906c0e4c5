import { Alert, Badge, Box, Button, Stack, Tabs, Text } from "@mantine/core";
import { IconBell, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { pageRules } from "@arcada/contract/kernel/fields";
import { memberCalls, memberParts } from "@arcada/contract/member/member.calls";
import type { MemberPart } from "@arcada/contract/member/member.calls";
import { useSearch, useSetSearch } from "../kernel/link.tsx";
import { useMay } from "../kernel/permit.tsx";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { EmptyState } from "../ui/states.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberTable } from "./member-table.tsx";
import classes from "./member.module.css";

type Counts = Output<typeof memberCalls.list>["counts"];

/** The members of the institution. Its managers also see pending and former members. */
export function Page() {
  const t = useTexts("member");
  const user = useUser();
  const mayInvite = useMay(memberCalls.invite);
  const { part: asked } = useSearch();
  const part = (mayInvite && memberParts.find((one) => one === asked)) || "members";
  const [search, setSearch] = useState("");
  const setAddress = useSetSearch();
  const [isInviting, setInviting] = useState(false);
  const query = useCall(
    memberCalls.list,
    { part, page: 1, pageSize: pageRules.most, ...(search && { search }) },
    { keep: true },
  );
  const waiting = query.data?.counts.applications ?? 0;
  const invite = mayInvite && (
    <Button leftSection={<IconUserPlus size={18} />} onClick={() => setInviting(true)}>
      {t("member.invite")}
    </Button>
  );
  const show = (next: MemberPart) => setAddress({ part: next === "members" ? undefined : next });
  return (
    <PageBody title={t("member.title")} says={t(mayInvite ? "member.says" : "member.saysMember")} actions={invite}>
      <Stack gap="lg">
        {waiting > 0 && part !== "applications" && (
          <Alert variant="light" icon={<IconBell size={18} />} role="status">
            <Text size="sm">{t("member.waiting", { count: waiting })}</Text>
            <Button variant="default" size="xs" mt="xs" onClick={() => show("applications")}>
              {t("member.seeApplications")}
            </Button>
          </Alert>
        )}
        <Section flush>
          <Parts part={part} counts={query.data?.counts} onChange={show} shown={mayInvite}>
            <Box p="md" maw={420}>
              <SearchBox value={search} onSearch={setSearch} label={t("member.search")} />
            </Box>
            <Answer
              of={query}
              isEmpty={({ list }) => list.length === 0}
              empty={
                <EmptyState title={search ? t("common.nothingFound") : t(`member.empty.${part}`)}>
                  {part === "invitations" && !search && invite}
                </EmptyState>
              }
            >
              {({ list }) => (
                <MemberTable part={part} members={list} self={user.id} onGone={() => location.assign("/")} />
              )}
            </Answer>
          </Parts>
        </Section>
      </Stack>
      {isInviting && <InviteDialog type={user.institution?.type ?? "clinic"} onClose={() => setInviting(false)} />}
    </PageBody>
  );
}

interface PartsProps {
  part: MemberPart;
  counts: Counts | undefined;
  onChange: (part: MemberPart) => void;
  /** Colleagues see only the members. */
  shown: boolean;
  children: ReactNode;
}

function Parts({ part, counts, onChange, shown, children }: PartsProps) {
  const t = useTexts("member");
  if (!shown) return children;
  return (
    <Tabs value={part} onChange={(value) => onChange(memberParts.find((one) => one === value) ?? "members")}>
      <Tabs.List aria-label={t("member.title")} px="md" pt="xs" className={classes.parts}>
        {memberParts.map((one) => (
          <Tabs.Tab key={one} value={one} rightSection={counts && <Count of={counts[one]} />}>
            {t(`member.part.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {memberParts.map((one) => (
        <Tabs.Panel key={one} value={one}>
          {one === part && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const Count = ({ of }: { of: number }) =>
  of > 0 && (
    <Badge size="sm" variant="light" circle={of < 10}>
      {of}
    </Badge>
  );
