import { profileCalls } from "@arcada/contract/account/profile.calls";
import { ask } from "../../data/ask.ts";
import { queryClient } from "../../data/query-client.ts";
import { useCurrentUser } from "../../session/current-user.ts";
import { storeToken } from "../../browser/session-token.ts";

/**
 * Continues with the current page after its user has signed in again. For another user the page reloads, so that
 * nothing of it remains.
 */
export function useResumeSession(done: () => void): (token: string, remember: boolean) => Promise<void> {
  const me = useCurrentUser();
  return async (token, remember) => {
    storeToken(token, remember);
    const now = await ask(profileCalls.getUserInfo, {}).catch(() => null);
    if (!me || now?.id !== me.id || now.iid !== me.iid || now.authorityId !== me.authorityId)
      return location.assign("/");
    done();
    await queryClient.invalidateQueries();
  };
}
