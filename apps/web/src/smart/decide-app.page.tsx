import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { AuthorizationRequest, ConsentQuestion } from "@arcada/contract/smart/smart.calls";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import { ScreenLink } from "../browser/navigation.tsx";
import { RefusalError } from "../data/call-errors.ts";
import { send } from "../data/ask.ts";
import { useCommand } from "../data/use-command.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCurrentUser } from "../session/current-user.ts";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState, ErrorState, LoadingState } from "../ui/page-states.tsx";
import { AccessList } from "./access-list.tsx";
import { ChoosePatient } from "./choose-patient.tsx";
import { forgetPendingRequest, readPendingRequest } from "./pending-request.ts";

type Result = { question: ConsentQuestion } | { error: unknown };

/** Here a person decides whether an app may act in their name, for what and for which patient. */
export function Page() {
  const t = useTexts("smart");
  const [request] = useState(readPendingRequest);
  const { result, retry } = useQuestion(request);
  if (!request) return <EmptyState title={t("smart.fault.title")} text={t("smart.fault.incomplete")} />;
  if (!result)
    return (
      <PageBody title={t("smart.consent.busy")}>
        <LoadingState lines={6} />
      </PageBody>
    );
  return "error" in result ? (
    <Fault error={result.error} retry={retry} />
  ) : (
    <Consent request={request} question={result.question} />
  );
}

/** Asks the server about the request. A fault that the app must know of sends the browser back to the app. */
function useQuestion(request: AuthorizationRequest | null): { result: Result | null; retry: () => void } {
  const [result, setResult] = useState<Result | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!request) return;
    let isOver = false;
    send(smartCalls.ask, { request }).then(
      ({ question, redirect }) => {
        if (isOver) return;
        if (redirect !== null) leaveTo(redirect);
        else if (question) setResult({ question });
      },
      (error: unknown) => void (isOver || setResult({ error })),
    );
    return () => void (isOver = true);
  }, [request, attempt]);
  const retry = () => {
    setResult(null);
    setAttempt((count) => count + 1);
  };
  return { result, retry };
}

/** The server made the address from one that the app registered. */
function leaveTo(address: string): void {
  forgetPendingRequest();
  location.replace(address);
}

function Fault({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTexts("smart");
  const organisation = useCurrentUser()?.institution?.name ?? "";
  const name = error instanceof RefusalError ? error.name : null;
  if (name !== "appUnknown" && name !== "appRedirect" && name !== "badInput") return <ErrorState retry={retry} />;
  const texts = {
    appUnknown: t("smart.fault.unknown", { organisation }),
    appRedirect: t("smart.fault.redirect"),
    badInput: t("smart.fault.incomplete"),
  };
  return (
    <EmptyState title={t("smart.fault.title")} text={texts[name]}>
      <Button component={ScreenLink} screen="today" variant="default">
        {t("common.home")}
      </Button>
    </EmptyState>
  );
}

function Consent({ request, question }: { request: AuthorizationRequest; question: ConsentQuestion }) {
  const t = useTexts("smart");
  const organisation = useCurrentUser()?.institution?.name ?? "";
  const { app, host, scopes, patient, choosesPatient } = question;
  const [patientId, setPatientId] = useState<string | null>(null);
  const decide = useCommand(smartCalls.decide);
  const [isLeaving, setLeaving] = useState(false);
  const answer = async (allow: boolean) => {
    const done = await decide.run({ request, allow, patientId: allow ? patientId : null });
    if (!done) return;
    setLeaving(true);
    leaveTo(done.data.redirect);
  };
  const isBusy = decide.busy || isLeaving;
  return (
    <PageBody
      width="reading"
      title={t("smart.consent.title", { app })}
      description={t("smart.consent.says", { organisation })}
    >
      {patient && (
        <Section title={t("smart.consent.patient")}>
          <Text>{`${patient.name} · ${patient.number}`}</Text>
        </Section>
      )}
      {choosesPatient && (
        <Section title={t("smart.consent.choose")}>
          <ChoosePatient onChosen={setPatientId} />
        </Section>
      )}
      <Section title={t("smart.consent.gets")}>
        <Stack gap="md">
          <AccessList scopes={scopes} />
          <Text size="sm" c="dimmed">
            {scopes.includes("offline_access")
              ? t("smart.consent.offline")
              : t("smart.consent.online", { minutes: String(smartRules.accessSeconds / 60) })}{" "}
            {t("smart.consent.back", { host })}
          </Text>
        </Stack>
      </Section>
      <Group>
        <Button loading={isBusy} disabled={choosesPatient && patientId === null} onClick={() => void answer(true)}>
          {t("smart.consent.allow")}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={() => void answer(false)}>
          {t("smart.consent.deny")}
        </Button>
      </Group>
    </PageBody>
  );
}
