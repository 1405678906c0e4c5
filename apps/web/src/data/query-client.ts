import { QueryCache, QueryClient, onlineManager } from "@tanstack/react-query";
import type { Call } from "@arcada/contract/kernel/call";
import type { LiveTopic } from "@arcada/contract/notice/live-topics";
import { screens } from "@arcada/contract/screens";
import { namesEndedRecord, onCommandSuccess } from "./command-success-and-ended-records.ts";
import { clearPersistedFiles } from "../browser/persisted-files.ts";
import { throttleByKey } from "./throttle-by-key.ts";
import { createCacheInvalidation } from "./cache-invalidation.ts";
import { NoResponseError, isRefused } from "./call-errors.ts";
import { showError } from "./show-error.ts";
import { onSessionCleared, onSessionSwitch } from "../browser/session-lifecycle.ts";
import { onLanguageChange } from "../i18n/texts.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { shownBy?: "form" | "page" };
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // The institution has made two-step authentication mandatory: it is set up on this page, and no other page opens
      // before.
      if (isRefused(error, "factorRequired") && location.pathname !== screens.profile.path)
        return location.assign(screens.profile.path);
      showError(error, query.meta?.shownBy);
    },
  }),
  defaultOptions: {
    queries: {
      // A call is sent without a network, too: its last answer may have been kept. Further tries wait for the network.
      networkMode: "offlineFirst",
      staleTime: 20_000,
      // Without a network, the lists that were seen last stay readable for half an hour.
      gcTime: 30 * 60_000,
      // A refusal is an answer: asking again changes nothing.
      retry: (failures, error) => error instanceof NoResponseError && !error.isTimeout && failures < 2,
    },
    // We decide ourselves what to do without a network: an order must not be sent minutes after its button was pressed.
    mutations: { networkMode: "always" },
  },
});

// The library believes to be online until the browser reports a change: a page may open without a network.
onlineManager.setOnline(navigator.onLine);

/**
 * The second path segment of a call, as in /v1/order/list: the unit that live events and commands invalidate together.
 */
const getCallGroup = (call: Call): string => call.path.split("/")[2] ?? "";
export const queryKeyOf = (call: Call, input?: unknown): unknown[] =>
  input === undefined ? [getCallGroup(call), call.path] : [getCallGroup(call), call.path, input];

const cacheInvalidation = createCacheInvalidation(queryClient, namesEndedRecord);

// A command succeeded: refetch everything that its slice shows.
onCommandSuccess((call) => {
  const group = getCallGroup(call);
  for (const affected of afterSalesGroups.includes(group) ? afterSalesGroups : [group])
    cacheInvalidation.onCommand(affected);
});
/** Their pages show each other's records. */
const afterSalesGroups = ["clinic", "device", "workorder", "feedback", "upgrade", "service"];
// Names of provinces and cities come from the server in the reader's language.
onLanguageChange(() => void queryClient.invalidateQueries({ queryKey: ["clinic"] }));
onSessionCleared(() => queryClient.clear());
onSessionCleared(clearPersistedFiles);
onSessionSwitch(clearPersistedFiles);

const groupsByTopic: Record<LiveTopic, readonly string[]> = {
  // The network counts the open orders.
  order: ["order", "patient", "relation", "dashboard"],
  study: ["study", "patient", "storage", "implant"],
  relation: ["relation"],
  // The patients to whom an unassigned study may belong are found by their records.
  patient: ["patient", "study", "visit", "consent"],
  notice: ["notice", "config"],
  session: ["user"],
  member: ["member", "user", "scim"],
  institution: ["institution", "implant"],
  share: ["share"],
  report: ["report", "patient"],
  // An analysis changes the remaining quota.
  analysis: ["analysis", "storage"],
  // Decisions are also shown beside the suggestions.
  chart: ["chart", "analysis"],
  capacity: ["capacity", "storage"],
  // A device is bound or moved with the work that was accepted.
  workorder: ["workorder", "device", "clinic", "service"],
  device: ["device", "clinic", "service"],
  clinic: afterSalesGroups,
  feedback: ["feedback", "service"],
  upgrade: ["upgrade", "service"],
};

/** Refetches data that an event of the live stream has changed; without a topic, everything on the page. */
export function refetchTopic(topic?: LiveTopic): void {
  if (!topic) return cacheInvalidation.onMissedEvents();
  for (const group of groupsByTopic[topic] ?? [])
    if (topic === "study" && group !== "study") refetchThrottled(group);
    else cacheInvalidation.onLiveEvent(group);
}

/**
 * Imaging events arrive several times a second during an upload, and each fetch of a patient writes a line to the audit
 * log.
 */
const refetchThrottled = throttleByKey(10_000, cacheInvalidation.onLiveEvent);
