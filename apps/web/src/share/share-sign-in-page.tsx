import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { shareRules, type ShareFactor } from "@arcada/contract/share/share.rules";
import { chooseLanguage, useLanguage, useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { useNow } from "../browser/use-now.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { Logo } from "../ui/logo.tsx";
import { ErrorState } from "../ui/page-states.tsx";
import classes from "./share-sign-in-page.module.css";
import { storeGuestSession } from "./guest-session.ts";
import { getToday } from "../i18n/time-zone.ts";
import { DayField } from "../ui/form/day-field.tsx";

interface Props {
  secret: string;
  onOpen: () => void;
}

/** The page before a guest session: shows who shares, and asks for the factor. */
export function ShareSignInPage({ secret, onOpen }: Props) {
  const t = useTexts("share");
  const isComplete = secret.length === shareRules.secretLength;
  const query = useCall(shareCalls.knock, { secret }, { enabled: isComplete });
  if (!isComplete) return <ClosedNotice title={t("share.visitor.noLink")} text={t("share.visitor.noLinkText")} />;
  if (query.data) return <FactorForm secret={secret} {...query.data} onOpen={onOpen} />;
  if (query.isPending)
    return (
      <PageCard>
        <BusyState />
      </PageCard>
    );
  if (query.error?.name === "shareGone") return <ShareGone />;
  if (query.error?.name === "shareLocked")
    return <ClosedNotice title={t("share.visitor.lockedTitle")} text={t("share.visitor.lockedText")} />;
  return (
    <PageCard>
      <ErrorState retry={() => void query.refetch()} />
    </PageCard>
  );
}

export function ShareGone() {
  const t = useTexts("share");
  return <ClosedNotice title={t("share.visitor.goneTitle")} text={t("share.visitor.goneText")} />;
}

/** Shown when the guest session has ended. The link may still be valid. */
export function GuestSessionEnded({ hasLeft, onAgain }: { hasLeft: boolean; onAgain: () => void }) {
  const t = useTexts("share");
  const text = hasLeft
    ? t("share.visitor.leftText")
    : t("share.visitor.overText", { minutes: String(shareRules.visitMinutes) });
  return (
    <ClosedNotice title={t("share.visitor.overTitle")} text={text}>
      <Button onClick={onAgain}>{t("share.visitor.again")}</Button>
    </ClosedNotice>
  );
}

function ClosedNotice({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <PageCard>
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      {children && <Group>{children}</Group>}
    </PageCard>
  );
}

const PageCard = ({ children }: { children: ReactNode }) => (
  <main className={classes.page}>
    <Paper withBorder p="xl" radius="lg" className={classes.card}>
      <Stack gap="lg">
        <Group justify="space-between">
          <Logo />
          <LanguageButton />
        </Group>
        {children}
      </Stack>
    </Paper>
  </main>
);

function LanguageButton() {
  const t = useTexts();
  const other = useLanguage() === "en" ? "zh" : "en";
  // The label is in the other language, because a user who needs it cannot read the current one.
  return (
    <Button variant="subtle" color="gray" size="sm" lang={other} onClick={() => void chooseLanguage(other)}>
      {t(`common.languages.${other}`)}
    </Button>
  );
}

function FactorForm({ secret, institution, factor, onOpen }: Props & { institution: string; factor: ShareFactor }) {
  const t = useTexts("share");
  const [answer, setAnswer] = useState("");
  const open = useCommand(shareCalls.open, { shownBy: "form" });
  const enter = async () => {
    const done = await open.run({ secret, ...(factor !== "none" && { factor: answer }) });
    if (!done) return;
    storeGuestSession(done.data.visit);
    onOpen();
  };
  if (open.refused?.name === "shareGone") return <ShareGone />;
  if (open.refused?.name === "shareLocked")
    return <ClosedNotice title={t("share.visitor.lockedTitle")} text={t("share.visitor.lockedText")} />;
  return (
    <PageCard>
      <Title order={1} size="h2">
        {t("share.visitor.title", { institution })}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <Stack gap="md">
          {factor === "email" && <SendCode secret={secret} />}
          {factor === "birthDate" && (
            <DayField
              isLongAgo
              max={getToday()}
              label={t("share.visitor.factor.birthDate")}
              description={t("share.visitor.hint.birthDate")}
              required
              value={answer}
              onChange={setAnswer}
            />
          )}
          {factor !== "none" && factor !== "birthDate" && (
            <TextInput
              {...inputPropsByFactor[factor]}
              label={t(`share.visitor.factor.${factor}`)}
              description={t(`share.visitor.hint.${factor}`)}
              required
              maxLength={shareRules.maxPhraseLength}
              value={answer}
              onChange={(event) => setAnswer(event.currentTarget.value)}
            />
          )}
          <FormError text={open.refused?.msg} />
          <Button type="submit" size="md" loading={open.busy} disabled={factor !== "none" && answer.trim() === ""}>
            {t("share.visitor.open")}
          </Button>
        </Stack>
      </form>
    </PageCard>
  );
}

const inputPropsByFactor = {
  email: { inputMode: "numeric", autoComplete: "one-time-code", dir: "ltr" },
  phone: { inputMode: "numeric", autoComplete: "off", dir: "ltr" },
  phrase: { autoComplete: "off" },
} as const;

function SendCode({ secret }: { secret: string }) {
  const t = useTexts("share");
  const send = useCommand(shareCalls.sendCode, { shownBy: "form" });
  const [resendAt, setResendAt] = useState<number | null>(null);
  const now = useNow(1000);
  const left = resendAt === null ? 0 : Math.max(0, Math.ceil((resendAt - now.getTime()) / 1000));
  const press = async () => {
    const done = await send.run({ secret });
    if (done) setResendAt(Date.now() + done.data.resendAfter * 1000);
  };
  return (
    <Stack gap="xs">
      <Button variant="default" loading={send.busy} disabled={left > 0} onClick={() => void press()}>
        {left > 0 ? t("share.visitor.sendAgain", { seconds: String(left) }) : t("share.visitor.sendCode")}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {resendAt !== null && t("share.visitor.codeSent", { minutes: String(shareRules.codeMinutes) })}
      </Text>
      <FormError text={send.refused?.msg} />
    </Stack>
  );
}
