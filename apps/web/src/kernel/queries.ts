import { QueryCache, QueryClient } from "@tanstack/react-query";
import type { Call } from "@arcada/contract/kernel/call";
import type { LiveTopic } from "@arcada/contract/notice/notice.calls";
import { screens } from "@arcada/contract/screens";
import { isOfEnded, onChange } from "./changes.ts";
import { forgetFiles } from "./kept-files.ts";
import { paced } from "./paced.ts";
import { refetching } from "./refetching.ts";
import { NoAnswer, isRefused } from "./refused.ts";
import { show } from "./show.ts";
import { onForget, onSwitch } from "./sign-in.ts";
import { onLanguage } from "./texts.ts";

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
      show(error, query.meta?.shownBy);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 20_000,
      // A refusal is an answer: asking again changes nothing.
      retry: (failures, error) => error instanceof NoAnswer && !error.late && failures < 2,
    },
    // We decide ourselves what to do without a network: an order must not be sent minutes after its button was pressed.
    mutations: { networkMode: "always" },
  },
});

/**
 * The second path segment of a call, as in /v1/order/list: the unit that live events and commands invalidate together.
 */
const wordOf = (call: Call): string => call.path.split("/")[2] ?? "";
export const keyOf = (call: Call, input?: unknown): unknown[] =>
  input === undefined ? [wordOf(call), call.path] : [wordOf(call), call.path, input];

const again = refetching(queryClient, isOfEnded);

// A command succeeded: refetch everything that its slice shows.
onChange((call) => {
  const word = wordOf(call);
  for (const shown of afterSales.includes(word) ? afterSales : [word]) again.changed(shown);
});
/** Their pages show each other's records. */
const afterSales = ["clinic", "device", "workorder", "feedback", "upgrade", "service"];
// Names of provinces and cities come from the server in the reader's language.
onLanguage(() => void queryClient.invalidateQueries({ queryKey: ["clinic"] }));
onForget(() => queryClient.clear());
onForget(forgetFiles);
onSwitch(forgetFiles);

const wordsOfTopic: Record<LiveTopic, readonly string[]> = {
  // The network counts the open orders.
  order: ["order", "patient", "relation", "dashboard"],
  study: ["study", "patient", "storage"],
  relation: ["relation"],
  // The patients to whom an unassigned study may belong are found by their records.
  patient: ["patient", "study", "visit", "consent"],
  notice: ["notice", "config"],
  session: ["user"],
  member: ["member", "user"],
  institution: ["institution"],
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
  clinic: afterSales,
  feedback: ["feedback", "service"],
  upgrade: ["upgrade", "service"],
};

/** Refetches data that an event of the live stream has changed; without a topic, everything on the page. */
export function refetchTopic(topic?: LiveTopic): void {
  if (!topic) return void queryClient.invalidateQueries();
  for (const word of wordsOfTopic[topic] ?? [])
    if (topic === "study" && word !== "study") askAlong(word);
    else again.heard(word);
}

/**
 * Imaging events arrive several times a second during an upload, and each fetch of a patient writes a line to the audit
 * log.
 */
const askAlong = paced(10_000, again.heard);
