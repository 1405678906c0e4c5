import { headersOf } from "./ask.ts";
import { refetchMe } from "./session.ts";
import { readToken, storeToken } from "./token.ts";

/** What an upload needs of the session: uploads are no calls, but travel with the same token and renew it likewise. */
export const uploadSession = {
  headers: (): Record<string, string> => headersOf(),
  /** `fresh`: the answer's `new-token`; `sent`: the token that travelled with the request. */
  answered(fresh: string | undefined, sent: string | undefined): void {
    if (fresh && readToken() === sent) storeToken(fresh);
  },
  /** Asking who is signed in shows the way to sign in again over the page. */
  ended: (): void => void refetchMe(),
};
