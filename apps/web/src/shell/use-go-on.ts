import { accountCalls } from "@arcada/contract/account/account.calls";
import { ask } from "../kernel/ask.ts";
import { queryClient } from "../kernel/queries.ts";
import { useCurrentUser } from "../kernel/session.ts";
import { storeToken } from "../kernel/token.ts";

/**
 * Continues with the current page after its user has signed in again. For another user the page reloads, so that
 * nothing of it remains.
 */
export function useResumeSession(done: () => void): (token: string, remember: boolean) => Promise<void> {
  const me = useCurrentUser();
  return async (token, remember) => {
    storeToken(token, remember);
    const now = await ask(accountCalls.getUserInfo, {}).catch(() => null);
    if (!me || now?.id !== me.id || now.iid !== me.iid || now.authorityId !== me.authorityId)
      return location.assign("/");
    done();
    await queryClient.invalidateQueries();
  };
}
