import { Alert, Badge, Box, Button, Stack, Tabs, Text } from "@mantine/core";
import { IconBell, IconUserPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { memberCalls, memberTabs } from "@arcada/contract/member/member.calls";
import type { MemberTab } from "@arcada/contract/member/member.calls";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { useNewDialog } from "../ui/use-new-dialog.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberTable } from "./member-table.tsx";
import classes from "./member.module.css";

type Counts = Output<typeof memberCalls.list>["counts"];

/** The members of the institution. Its managers also see pending and former members; `new` opens the invitation. */
export function Page() {
  const t = useTexts("member");
  const user = useSignedInUser();
  const mayInvite = useCanAccess(memberCalls.invite);
  const { part: partParam, search = "" } = useSearchParams();
  const part = (mayInvite && memberTabs.find((one) => one === partParam)) || "members";
  const setAddress = useSetSearchParams();
  const [isInviting, setInviting] = useNewDialog();
  const query = useCall(
    memberCalls.list,
    { part, page: 1, pageSize: pageSizes.max, ...(search && { search }) },
    { keepPrevious: true },
  );
  const invite = mayInvite && <InviteButton onClick={() => setInviting(true)} />;
  const show = (next: MemberTab) => setAddress({ part: next === "members" ? undefined : next });
  return (
    <PageBody
      title={t("member.title")}
      description={t(mayInvite ? "member.says" : "member.saysMember")}
      actions={invite}
    >
      <Stack gap="lg">
        {part !== "applications" && <WaitingApplications counts={query.data?.counts} onShow={show} />}
        <Section flush>
          <PartTabs part={part} counts={query.data?.counts} onChange={show} shown={mayInvite}>
            <Box p="md" maw={420}>
              <SearchBox
                value={search}
                onSearch={(text) => setAddress({ search: text || undefined })}
                label={t("member.search")}
              />
            </Box>
            <QueryResult
              of={query}
              isEmpty={({ list }) => list.length === 0}
              empty={
                <EmptyState title={search ? t("common.nothingFound") : t(`member.empty.${part}`)}>
                  {part === "invitations" && !search && invite}
                </EmptyState>
              }
            >
              {({ list }) => (
                <MemberTable part={part} members={list} ownId={user.id} onLeft={() => location.assign("/")} />
              )}
            </QueryResult>
          </PartTabs>
        </Section>
      </Stack>
      {mayInvite && isInviting && (
        <InviteDialog type={user.institution?.type ?? "clinic"} onClose={() => setInviting(false)} />
      )}
    </PageBody>
  );
}

function WaitingApplications({ counts, onShow }: { counts: Counts | undefined; onShow: (part: MemberTab) => void }) {
  const t = useTexts("member");
  const count = counts?.applications ?? 0;
  if (count === 0) return null;
  return (
    <Alert variant="light" icon={<IconBell size={18} />} role="status">
      <Text size="sm">{t("member.waiting", { count })}</Text>
      <Button variant="default" size="xs" mt="xs" onClick={() => onShow("applications")}>
        {t("member.seeApplications")}
      </Button>
    </Alert>
  );
}

function InviteButton({ onClick }: { onClick: () => void }) {
  const t = useTexts("member");
  return (
    <Button leftSection={<IconUserPlus size={18} />} onClick={onClick}>
      {t("member.invite")}
    </Button>
  );
}

interface PartTabsProps {
  part: MemberTab;
  counts: Counts | undefined;
  onChange: (part: MemberTab) => void;
  /** Colleagues see only the members. */
  shown: boolean;
  children: ReactNode;
}

function PartTabs({ part, counts, onChange, shown, children }: PartTabsProps) {
  const t = useTexts("member");
  if (!shown) return children;
  return (
    <Tabs value={part} onChange={(value) => onChange(memberTabs.find((one) => one === value) ?? "members")}>
      <Tabs.List aria-label={t("member.title")} px="md" pt="xs" className={classes.parts}>
        {memberTabs.map((one) => (
          <Tabs.Tab key={one} value={one} rightSection={counts && <CountBadge count={counts[one]} />}>
            {t(`member.part.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {memberTabs.map((one) => (
        <Tabs.Panel key={one} value={one}>
          {one === part && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const CountBadge = ({ count }: { count: number }) =>
  count > 0 && (
    <Badge size="sm" variant="light" circle={count < 10}>
      {count}
    </Badge>
  );
