import { Badge, Button, Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { findRole } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { screens } from "@arcada/contract/screens";
import { handOffAccount } from "../session/carry-values-across-sign-in.ts";
import { formatTimestamp } from "../i18n/format.ts";
import { logOut, useCurrentUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { readToken } from "../browser/session-token.ts";
import { useCall } from "../data/use-call.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { Logo } from "../ui/logo.tsx";
import { BusyState } from "../ui/busy-state.tsx";
import { ErrorState } from "../ui/page-states.tsx";
import { NewAccount, SignInAndJoin } from "./invitation-answers.tsx";
import { enterInstitution } from "../member/enter-institution.ts";
import { useMemberTransition } from "../member/use-member-transition.ts";
import { SwitchInstitutionButton } from "../member/switch-institution-button.tsx";
import classes from "../member/member.module.css";

type Invitation = Output<typeof memberCalls.open>;

/**
 * The target of the link in an invitation email: shows the inviter, the institution and the role, and the possible
 * answers.
 */
export function Page() {
  const t = useTexts("member");
  const [secret] = useState(readSecret);
  const query = useCall(memberCalls.open, { code: secret }, { enabled: secret !== "" });
  const isUnknown = secret === "" || query.error?.name === "invitationUnknown";
  return (
    <Center component="main" className={classes.page}>
      <Paper withBorder p="xl" radius="lg" className={classes.card}>
        <Stack gap="lg">
          <Logo />
          {query.data ? (
            <LoadedInvitation invitation={query.data} secret={secret} />
          ) : isUnknown ? (
            <ClosedNotice title={t("member.invitation.unknown")} text={t("member.invitation.unknownText")} />
          ) : query.isPending ? (
            <BusyState />
          ) : (
            <ErrorState retry={() => void query.refetch()} />
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

const secretStorageKey = "arcada.invitation";

/**
 * Returns the secret of the link in the email. It is removed from the address at once, because history and screens
 * would keep it. The tab keeps it during sign-in or registration.
 */
function readSecret(): string {
  const hash = location.hash.slice(1);
  try {
    if (hash !== "") {
      sessionStorage.setItem(secretStorageKey, hash);
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    return sessionStorage.getItem(secretStorageKey) ?? "";
  } catch {
    // Without storage the address is the only place that survives the sign-in.
    return hash;
  }
}

function LoadedInvitation({ invitation, secret }: { invitation: Invitation; secret: string }) {
  const t = useTexts("member");
  const me = useCurrentUser();
  const [sentAnswer, setSentAnswer] = useState<InvitationAnswer | null>(null);
  const { institution, inviter, email, state } = invitation;
  const isMine = me?.email === email;
  if (sentAnswer === "accept" || (state === "confirmed" && isMine)) return <JoinedNotice invitation={invitation} />;
  if (sentAnswer === "decline")
    return (
      <ClosedNotice
        title={t("member.invitation.declined")}
        text={t("member.invitation.overText", { institution: institution.name })}
      />
    );
  if (state !== "awaiting_confirmation")
    return (
      <ClosedNotice
        title={t(`member.invitation.over.${state}`)}
        text={t("member.invitation.overText", { institution: institution.name })}
      />
    );
  return (
    <>
      <div>
        <Title order={1} size="h2">
          {t("member.invitation.title", { institution: institution.name })}
        </Title>
        <Text c="dimmed" mt={6}>
          {t("member.invitation.text", { inviter })}
        </Text>
      </div>
      <InvitationFacts invitation={invitation} />
      {!readToken() ? (
        invitation.hasAccount ? (
          <SignInAndJoin invitation={invitation} secret={secret} onSignIn={() => goToSignIn(email)} />
        ) : (
          <NewAccount invitation={invitation} secret={secret} onSignIn={() => goToSignIn("")} />
        )
      ) : !me ? (
        <BusyState />
      ) : isMine ? (
        <AnswerButtons invitation={invitation} secret={secret} onAnswered={setSentAnswer} />
      ) : (
        <OtherAccountNotice email={email} own={me.email ?? me.phone ?? me.nickName} />
      )}
    </>
  );
}

function InvitationFacts({ invitation: { institution, authorityId, email, expiresAt } }: { invitation: Invitation }) {
  const t = useTexts("member");
  const facts: [string, ReactNode][] = [
    [t("member.institution"), `${institution.name} · ${institution.number}`],
    [
      t("member.role"),
      <Badge key="role" variant="light">
        {t(`common.role.${findRole(authorityId)}`)}
      </Badge>,
    ],
    [t("member.email"), email],
    [t("member.until"), formatTimestamp(expiresAt)],
  ];
  return (
    <Stack component="dl" gap="xs" m={0}>
      {facts.map(([term, fact]) => (
        <Group key={term} gap="md" wrap="nowrap" align="baseline">
          <Text component="dt" size="sm" c="dimmed" w={110} flex="none">
            {term}
          </Text>
          <Text component="dd" size="sm" m={0} className={classes.words}>
            {fact}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

const redirectQuery = `?redirect=${encodeURIComponent(screens.invitation.path)}`;
/** Leads to the sign-in page and back, for whoever needs more than a password. */
const goToSignIn = (email: string) => {
  handOffAccount(email);
  location.assign(screens.login.path + redirectQuery);
};

function OtherAccountNotice({ email, own }: { email: string; own: string }) {
  const t = useTexts("member");
  return (
    <Stack gap="sm">
      <FormError text={t("member.invitation.otherAccount", { email, own })} kind="info" />
      <Group>
        <Button
          onClick={() => {
            void logOut().then(() => goToSignIn(email));
          }}
        >
          {t("member.invitation.changeAccount")}
        </Button>
        <Button variant="default" component="a" href={screens.profile.path}>
          {t("member.invitation.bind")}
        </Button>
      </Group>
    </Stack>
  );
}

type InvitationAnswer = "accept" | "decline";
interface AnswerButtonsProps {
  invitation: Invitation;
  secret: string;
  onAnswered: (answer: InvitationAnswer) => void;
}

function AnswerButtons({ invitation, secret, onAnswered }: AnswerButtonsProps) {
  const t = useTexts("member");
  const values = { institution: invitation.institution.name };
  const { step, busy, problem } = useMemberTransition({ shownBy: "form" });
  const [isDeclining, setDeclining] = useState(false);
  // The invitation that the email shows has no version; its secret identifies the one that was seen.
  const sendAnswer = async (action: InvitationAnswer) => {
    const done = await step({ id: invitation.id }, action, { code: secret });
    setDeclining(false);
    if (done && action === "accept" && (await enterInstitution(invitation.institution.iid))) return;
    if (done) onAnswered(action);
  };
  return (
    <Stack gap="sm">
      <FormError text={problem} />
      <Group>
        <Button size="md" loading={busy} onClick={() => void sendAnswer("accept")}>
          {t("member.action.accept")}
        </Button>
        <Button size="md" variant="default" disabled={busy} onClick={() => setDeclining(true)}>
          {t("member.action.decline")}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isDeclining}
        onClose={() => setDeclining(false)}
        onConfirm={() => void sendAnswer("decline")}
        busy={busy}
        danger
        title={t("member.ask.decline.title", values)}
        text={t("member.ask.decline.text")}
        confirm={t("member.action.decline")}
      />
    </Stack>
  );
}

function JoinedNotice({ invitation: { institution } }: { invitation: Invitation }) {
  const t = useTexts("member");
  return (
    <Stack gap="sm">
      <Title order={1} size="h2">
        {t("member.joinedTitle", { institution: institution.name })}
      </Title>
      <Text>{t("member.joinedText")}</Text>
      <Group>
        <SwitchInstitutionButton iid={institution.iid} size="md" />
        <Button size="md" variant="default" component="a" href="/">
          {t("member.later")}
        </Button>
      </Group>
    </Stack>
  );
}

function ClosedNotice({ title, text }: { title: string; text: string }) {
  const t = useTexts("member");
  return (
    <Stack gap="sm">
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      <Group>
        <Button component="a" href="/" variant="default">
          {t("common.home")}
        </Button>
      </Group>
    </Stack>
  );
}
