import { buildHeaders } from "./ask.ts";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import { queryClient, queryKeyOf } from "./query-client.ts";
import { readToken, renewToken } from "../browser/session-token.ts";

/** The session as uploads need it: they are no calls, but send the same token and renew it in the same way. */
export const uploadSession = {
  headers: (): Record<string, string> => buildHeaders(),
  /** `fresh`: the answer's `new-token`; `sent`: the token that travelled with the request. */
  answered(fresh: string | undefined, sent: string | undefined): void {
    if (fresh && sent && readToken() === sent) renewToken(sent, fresh);
  },
  /** Fetching the signed-in user opens the dialog to sign in again over the page. */
  ended: (): void => void queryClient.invalidateQueries({ queryKey: queryKeyOf(profileCalls.getUserInfo) }),
};
