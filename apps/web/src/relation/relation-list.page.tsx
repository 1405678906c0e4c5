import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { IconBell, IconMailPlus, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { ScreenLink, useSearch, useSetSearch } from "../kernel/link.tsx";
import { useMay } from "../kernel/permit.tsx";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState, LoadingState } from "../ui/states.tsx";
import { FindInstitution } from "./find-institution.tsx";
import { PartnerList } from "./partner-list.tsx";
import { isWaiting, partnersOf } from "./partners.ts";
import { Invitations, InviteDialog } from "./relation-invitations.tsx";

/** The institution's partners: as a list with actions, and as a picture. */
export function Page() {
  const t = useTexts("relation", "institution");
  const own = useUser().institution?.name ?? "";
  const mayAsk = useMay(relationCalls.step);
  const query = useCall(relationCalls.list, {});
  const network = useCall(relationCalls.network, {});
  const partners = partnersOf(query.data ?? [], network.data);
  const waiting = partners.filter(isWaiting).length;
  const asking = useAsking(query.data ?? []);
  const empty = (
    <Section>
      <EmptyState title={t("relation.empty")} text={t(mayAsk ? "relation.emptyText" : "relation.emptyForMember")}>
        {mayAsk && asking.buttons}
      </EmptyState>
    </Section>
  );
  return (
    <PageBody title={t("relation.title")} says={t("relation.says")} actions={mayAsk && asking.buttons}>
      <Stack gap="lg">
        {mayAsk && waiting > 0 && (
          <Alert variant="light" icon={<IconBell size={18} />} role="status">
            {t("relation.waiting", { count: waiting })}
          </Alert>
        )}
        <Answer of={query} empty={empty} waiting={<Waiting />}>
          {() => <PartnerList partners={partners} own={own} />}
        </Answer>
        <Invitations />
        {mayAsk && <Review />}
      </Stack>
      {mayAsk && asking.dialogs}
    </PageBody>
  );
}

function Waiting() {
  return (
    <Section>
      <LoadingState />
    </Section>
  );
}

/** The two ways to add a partner. An address with `find` opens the first. */
function useAsking(relations: readonly Relation[]): { buttons: ReactNode; dialogs: ReactNode } {
  const t = useTexts("relation");
  const user = useUser();
  const { find } = useSearch();
  const setAddress = useSetSearch();
  const [open, setOpen] = useState<"finding" | "inviting" | null>(find ? "finding" : null);
  const close = () => {
    setOpen(null);
    if (find) setAddress({ find: undefined });
  };
  return {
    buttons: (
      <>
        <Button variant="default" leftSection={<IconMailPlus size={18} />} onClick={() => setOpen("inviting")}>
          {t("relation.invite")}
        </Button>
        <Button leftSection={<IconSearch size={18} />} onClick={() => setOpen("finding")}>
          {t("relation.ask")}
        </Button>
      </>
    ),
    dialogs: (
      <>
        <FindInstitution
          opened={open === "finding"}
          onClose={close}
          own={user}
          relations={relations}
          looked={find ?? ""}
        />
        {open === "inviting" && <InviteDialog onClose={close} />}
      </>
    ),
  };
}

/** States whether a manager must accept relation requests, and links to the setting. */
function Review() {
  const t = useTexts("relation");
  const { data } = useCall(institutionCalls.detail, {});
  if (!data) return null;
  return (
    <Text size="sm" c="dimmed">
      {t(data.autoAcceptRelations ? "relation.reviewedItself" : "relation.reviewedByHand")}{" "}
      <Anchor component={ScreenLink} screen="institution" size="sm" underline="always">
        {t("relation.reviewSettings")}
      </Anchor>
    </Text>
  );
}
