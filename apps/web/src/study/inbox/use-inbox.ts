import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { send } from "../../data/ask.ts";
import { queryKeyOf } from "../../data/query-client.ts";
import { usePagedList } from "../../data/use-paged-list.ts";

/** Addresses of images expire after five minutes. */
const renewMs = 240_000;

/** The studies in the inbox, page after page. */
export const useInbox = () =>
  usePagedList(
    queryKeyOf(inboxCalls.inbox, {}),
    ({ cursor }, signal) => send(inboxCalls.inbox, cursor ? { cursor } : {}, { signal }),
    { pollMs: renewMs },
  );
