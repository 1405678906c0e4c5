import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { IconBell, IconMailPlus, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { ScreenLink, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState, LoadingState } from "../ui/page-states.tsx";
import { useNewDialog } from "../ui/use-new-dialog.ts";
import { FindInstitution } from "./find-institution.tsx";
import { PartnerList } from "./partner-list.tsx";
import { isWaiting, toPartners } from "./partners.ts";
import { Invitations, InviteDialog } from "./relation-invitations.tsx";

/** The institution's partners: as a list with actions, and as a diagram. */
export function Page() {
  const t = useTexts("relation", "institution");
  const own = useSignedInUser().institution?.name ?? "";
  const mayAsk = useCanAccess(relationCalls.step);
  const query = useCall(relationCalls.list, {});
  const network = useCall(relationCalls.network, {});
  const partners = toPartners(query.data ?? [], network.data);
  const waiting = partners.filter(isWaiting).length;
  const partnerDialogs = usePartnerDialogs(query.data ?? []);
  const empty = (
    <Section>
      <EmptyState title={t("relation.empty")} text={t(mayAsk ? "relation.emptyText" : "relation.emptyForMember")}>
        {mayAsk && partnerDialogs.buttons}
      </EmptyState>
    </Section>
  );
  return (
    <PageBody title={t("relation.title")} description={t("relation.says")} actions={mayAsk && partnerDialogs.buttons}>
      <Stack gap="lg">
        {mayAsk && waiting > 0 && (
          <Alert variant="light" icon={<IconBell size={18} />} role="status">
            {t("relation.waiting", { count: waiting })}
          </Alert>
        )}
        <QueryResult of={query} empty={empty} loading={<LoadingNotice />}>
          {() => <PartnerList partners={partners} own={own} />}
        </QueryResult>
        <Invitations />
        {mayAsk && <ReviewSetting />}
      </Stack>
      {mayAsk && partnerDialogs.dialogs}
    </PageBody>
  );
}

function LoadingNotice() {
  return (
    <Section>
      <LoadingState />
    </Section>
  );
}

/** The two ways to add a partner. An address with `find` (the text) or `new` opens the first. */
function usePartnerDialogs(relations: readonly Relation[]): { buttons: ReactNode; dialogs: ReactNode } {
  const t = useTexts("relation");
  const user = useSignedInUser();
  const { find } = useSearchParams();
  const setAddress = useSetSearchParams();
  const [isNewShown, showNew] = useNewDialog();
  const [open, setOpen] = useState<"finding" | "inviting" | null>(find ? "finding" : null);
  const close = () => {
    setOpen(null);
    showNew(false);
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
          opened={open === "finding" || isNewShown}
          onClose={close}
          own={user}
          relations={relations}
          initialText={find ?? ""}
        />
        {open === "inviting" && <InviteDialog onClose={close} />}
      </>
    ),
  };
}

/** States whether a manager must accept relation requests, and links to the setting. */
function ReviewSetting() {
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
