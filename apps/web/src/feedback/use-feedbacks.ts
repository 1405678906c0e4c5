import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";
import { usePages } from "../kernel/use-pages.ts";

export type Narrowing = Omit<Input<typeof feedbackCalls.list>, "cursor" | "pageSize">;

/** The feedbacks that match the filters, page after page. */
export const useFeedbacks = (narrowing: Narrowing) =>
  usePages(keyOf(feedbackCalls.list, narrowing), (place, signal) =>
    send(feedbackCalls.list, { ...narrowing, ...place }, { signal }),
  );
