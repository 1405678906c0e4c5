import { queryOptions, useQuery } from "@tanstack/react-query";
import { accountCalls } from "@arcada/contract/account/account.calls";
import type { UserInfo } from "@arcada/contract/account/account.calls";
import { roleOf } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { send } from "./ask.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { keyOf, queryClient } from "./queries.ts";
import { NoAnswer } from "./refused.ts";
import { sayNext } from "./said.ts";
import { forgetSession, leaveSession, userCookie } from "./sign-in.ts";
import { say } from "./texts.ts";
import { readToken } from "./token.ts";
import { followZone } from "./zone.ts";

const me = queryOptions({
  queryKey: keyOf(accountCalls.getUserInfo),
  queryFn: async ({ signal }) => {
    const info = await send(accountCalls.getUserInfo, {}, { signal });
    // Lists of a day and figures of a month differ in another time zone.
    if (info && followZone(info.institution)) void queryClient.invalidateQueries({ predicate: isNotMe });
    return info;
  },
  staleTime: 60_000,
});

const isNotMe = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== me.queryKey[0];

/** Prefetches the signed-in user. */
export const askWhoIsIn = (): Promise<void> => queryClient.prefetchQuery(me);

/** The signed-in user; undefined on pages that need no sign-in. */
export const useMe = (): UserInfo | undefined => useQuery({ ...me, enabled: readToken() !== undefined }).data;
export const useRole = (): Role | undefined => {
  const info = useMe();
  return info && roleOf(info.authorityId);
};
let lastIn: UserInfo | undefined;
/**
 * The user for a page that requires sign-in: the router has checked before it showed the page. If the session ends
 * while the page is still shown, the last user is returned until the page is gone.
 */
export function useUser(): UserInfo {
  const info = useMe() ?? lastIn;
  if (!info) throw new Error("no user behind the sign-in");
  return info;
}
export const refetchMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey: me.queryKey });

/**
 * Returns the signed-in user, or null if nobody is signed in or the answer is unusable: then the token is removed and
 * the reason is shown on the next page.
 */
export async function whoIsIn(): Promise<UserInfo | null> {
  if (!readToken()) return null;
  const known = queryClient.getQueryData(me.queryKey);
  if (known && isAnother(known)) {
    location.reload();
    return new Promise(() => {});
  }
  try {
    const info = await queryClient.ensureQueryData(me);
    if (!info) throw new Error(say("common.verificationFailed"));
    if (info.roles.length === 0) throw new Error(say("common.noRoles"));
    writeCookie(userCookie, info.id);
    lastIn = info;
    return info;
  } catch (error) {
    // Without a network nobody was signed out: the page offers to try again.
    if (error instanceof NoAnswer) throw error;
    forgetSession();
    // The message is shown on the sign-in page, which is loaded next.
    sayNext((error instanceof Error && error.message) || "common.hasError", "error");
    return null;
  }
}

/** Ends the session on the server, then in this browser, whatever the server answers. */
export async function logOut(): Promise<void> {
  await send(accountCalls.logout, {}).catch(() => {});
  leaveSession();
}

/** Reloads a tab, when it becomes visible, if another user has signed in while it was in the background. */
export function watchForAnotherUser(): void {
  addEventListener("visibilitychange", () => {
    const known = queryClient.getQueryData(me.queryKey);
    if (document.visibilityState === "visible" && known && isAnother(known)) location.reload();
  });
}

/** True if another user has signed in since, in another tab. */
function isAnother(known: UserInfo): boolean {
  const stored = readCookie(userCookie);
  return stored !== undefined && stored !== known.id;
}
