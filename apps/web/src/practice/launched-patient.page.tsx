import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { practiceCalls } from "@arcada/contract/patient/practice.calls";
import type { LaunchOutcome } from "@arcada/contract/patient/practice.calls";
import { screens } from "@arcada/contract/screens";
import { ScreenLink, useOpenScreen } from "../browser/navigation.tsx";
import { RefusalError } from "../data/call-errors.ts";
import { send } from "../data/ask.ts";
import { useTexts } from "../i18n/texts.ts";
import { logOut, useSignedInUser } from "../session/current-user.ts";
import { PageBody } from "../ui/page.tsx";
import { EmptyState, ErrorState, LoadingState } from "../ui/page-states.tsx";
import { LaunchedPerson } from "./launched-person.tsx";
import { forgetPendingLaunch, readPendingLaunch } from "./pending-launch.ts";

type Result = { outcome: LaunchOutcome } | { error: unknown };

/**
 * Opens the patient whom another program named. If that is not certain, a person chooses the record or confirms that one
 * is created.
 */
export function Page() {
  const t = useTexts("launch");
  const { result, retry } = useLaunch();
  if (result && "error" in result) return <LaunchError error={result.error} retry={retry} />;
  const outcome = result?.outcome;
  if (!outcome || outcome.patientId !== null)
    return (
      <PageBody title={t("launch.busy")}>
        <LoadingState lines={6} />
      </PageBody>
    );
  return outcome.person ? (
    <LaunchedPerson outcome={{ ...outcome, person: outcome.person }} />
  ) : (
    <Absent title={t("launch.absent.study")} text={t("launch.absent.studyText")} />
  );
}

/** Asks once for the pending request: a code cannot be used twice. An unlocked screen and a retry ask again. */
function useLaunch(): { result: Result | null; retry: () => void } {
  const [launch] = useState(readPendingLaunch);
  const [result, setResult] = useState<Result | null>(null);
  const [attempt, setAttempt] = useState(0);
  const open = useOpenScreen();
  useEffect(() => {
    if (!launch) return setResult({ error: null });
    let isOver = false;
    send(practiceCalls.open, launch).then(
      (outcome) => {
        if (isOver) return;
        setResult({ outcome });
        if (outcome.patientId === null) return;
        forgetPendingLaunch();
        if (outcome.study)
          open(outcome.study.kind === "ct" ? "ctViewer" : "viewer", { id: outcome.study.id }, { replace: true });
        else open("patientDetail", { id: outcome.patientId }, { replace: true });
      },
      (error: unknown) => void (isOver || setResult({ error })),
    );
    return () => void (isOver = true);
  }, [launch, open, attempt]);
  const retry = () => {
    setResult(null);
    setAttempt((count) => count + 1);
  };
  return { result, retry };
}

function LaunchError({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTexts("launch");
  const name = error instanceof RefusalError ? error.name : null;
  if (name === "launchForOther") return <ForSomebodyElse />;
  if (error !== null && name !== "launchSpent") return <ErrorState retry={retry} />;
  return <Absent title={t("launch.spent.title")} text={t("launch.spent.text")} />;
}

function ForSomebodyElse() {
  const t = useTexts("launch");
  const me = useSignedInUser();
  const signIn = `${screens.login.path}?redirect=${encodeURIComponent(screens.launchedPatient.path)}`;
  return (
    <EmptyState title={t("launch.other.title")} text={t("launch.other.text", { name: me.nickName })}>
      <Button onClick={() => void logOut().then(() => location.assign(signIn))}>{t("launch.other.change")}</Button>
    </EmptyState>
  );
}

function Absent({ title, text }: { title: string; text: string }) {
  const t = useTexts("launch");
  return (
    <EmptyState title={title} text={text}>
      <Button component={ScreenLink} screen="patientList" variant="default">
        {t("launch.toList")}
      </Button>
    </EmptyState>
  );
}
