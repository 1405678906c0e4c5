import { Alert, Button, Group } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { IconCloudOff, IconRefresh } from "@tabler/icons-react";
import { notifyManager } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { backgroundPaths, shownOffline } from "../../data/offline-calls.ts";
import { queryClient } from "../../data/query-client.ts";
import { useStore } from "../../browser/external-store.ts";
import { formatDateTime, formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { isUpdateReady, startNewVersion } from "./register-service-worker.ts";

/** The lines above a page's content: how old it is without a network, and that a newer version waits. */
export function StatusLines() {
  return (
    <>
      <OfflineLine />
      <UpdateLine />
    </>
  );
}

function OfflineLine() {
  const t = useTexts("shell");
  const { online } = useNetwork();
  const oldest = useSyncExternalStore(subscribeToQueries, findOldestAnswer);
  const isKeptShown = useSyncExternalStore(subscribeToQueries, isKeptAnswerShown);
  // A server that did not answer once may answer again: nobody has to reload the page.
  useEffect(() => {
    if (!online || !isKeptShown) return;
    const timer = setInterval(askAgain, retryMilliseconds);
    return () => clearInterval(timer);
  }, [online, isKeptShown]);
  if (online && !isKeptShown) return null;
  const time = oldest === null ? "" : formatClock(oldest);
  return (
    <Alert color="yellow" variant="light" mb="md" py="xs" icon={<IconCloudOff size={18} />} role="status">
      {oldest === null ? t("shell.offline") : t(online ? "shell.unreachableAsOf" : "shell.offlineAsOf", { time })}
    </Alert>
  );
}

function UpdateLine() {
  const t = useTexts("shell");
  if (!useStore(isUpdateReady)) return null;
  return (
    <Alert color="brand" variant="light" mb="md" py="xs" icon={<IconRefresh size={18} />} role="status">
      <Group justify="space-between" gap="sm">
        <span>{t("shell.newVersion")}</span>
        <Button size="xs" variant="light" onClick={startNewVersion}>
          {t("shell.reload")}
        </Button>
      </Group>
    </Alert>
  );
}

/** Today's answers are given by the clock alone. */
function formatClock(at: number): string {
  const [day, now] = [new Date(at).toISOString(), new Date().toISOString()];
  return formatDay(day) === formatDay(now) ? formatDateTime(day).slice(-5) : formatDateTime(day);
}

// A query that is created while a page renders must not render this line at the same moment.
const subscribeToQueries = (onChange: () => void): (() => void) =>
  queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange));

/** The calls of the page that have an answer and tell its age, with when it was given, and whether it is a kept one. */
function listShownAnswers(): { path: string; at: number; isKept: boolean }[] {
  const kept = shownOffline.get();
  return queryClient
    .getQueryCache()
    .getAll()
    .flatMap((query) => {
      const {
        queryKey: [, path],
        state,
      } = query;
      if (typeof path !== "string" || !query.isActive() || state.data === undefined || backgroundPaths.includes(path))
        return [];
      return [{ path, at: kept.get(path) ?? state.dataUpdatedAt, isKept: kept.has(path) }];
    });
}

/** Returns the time of the oldest answer on the page; null if the page shows none. */
function findOldestAnswer(): number | null {
  const answers = listShownAnswers();
  return answers.length === 0 ? null : Math.min(...answers.map((answer) => answer.at));
}

const isKeptAnswerShown = (): boolean => listShownAnswers().some((answer) => answer.isKept);

const retryMilliseconds = 10_000;
const askAgain = (): void =>
  void queryClient.refetchQueries({
    type: "active",
    predicate: ({ queryKey: [, path] }) => typeof path === "string" && shownOffline.get().has(path),
  });
