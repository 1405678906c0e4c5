import { Alert, Button, Group } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { IconCloudOff, IconRefresh } from "@tabler/icons-react";
import { notifyManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
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
  const kept = useStore(shownOffline);
  const oldest = useSyncExternalStore(subscribeToQueries, findOldestAnswer);
  const isKeptShown = [...kept.keys()].some((path) => !backgroundPaths.includes(path));
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

/** Returns the time of the oldest answer on the page; null if the page shows none. */
function findOldestAnswer(): number | null {
  const kept = shownOffline.get();
  const times = queryClient
    .getQueryCache()
    .getAll()
    .flatMap((query) => {
      const {
        queryKey: [, path],
        state,
      } = query;
      return typeof path === "string" && query.isActive() && state.data !== undefined && !backgroundPaths.includes(path)
        ? [kept.get(path) ?? state.dataUpdatedAt]
        : [];
    });
  return times.length === 0 ? null : Math.min(...times);
}
