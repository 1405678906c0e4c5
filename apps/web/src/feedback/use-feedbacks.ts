import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";

export type FeedbackListFilter = Omit<Input<typeof feedbackCalls.list>, "cursor" | "pageSize">;

/** The feedbacks that match the filters, page after page. */
export const useFeedbacks = (filter: FeedbackListFilter) =>
  usePagedList(queryKeyOf(feedbackCalls.list, filter), (pageParam, signal) =>
    send(feedbackCalls.list, { ...filter, ...pageParam }, { signal }),
  );
