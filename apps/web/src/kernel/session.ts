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
    // Lists of a day and figures of a month are others by another clock.
    if (info && followZone(info.institution)) void queryClient.invalidateQueries({ predicate: isNotMe });
    return info;
  },
  staleTime: 60_000,
});

const isNotMe = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== me.queryKey[0];

/** Asks who is signed in before anybody wants to know. */
export const askWhoIsIn = (): Promise<void> => queryClient.prefetchQuery(me);

/** Who is signed in; undefined on pages that need nobody. */
export const useMe = (): UserInfo | undefined => useQuery({ ...me, enabled: readToken() !== undefined }).data;
export const useRole = (): Role | undefined => {
  const info = useMe();
  return info && roleOf(info.authorityId);
};
let lastIn: UserInfo | undefined;
/**
 * The user for a page that stands behind the sign-in: the router has asked before it showed the page. Whose session ends
 * while the page still stands stays on it until the page is gone.
 */
export function useUser(): UserInfo {
  const info = useMe() ?? lastIn;
  if (!info) throw new Error("no user behind the sign-in");
  return info;
}
export const refetchMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey: me.queryKey });

/** Who is signed in, or null when nobody is or the answer is of no use: then the token is gone and the reason was said. */
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
    // Without a network nobody has signed out: the page offers to try again.
    if (error instanceof NoAnswer) throw error;
    forgetSession();
    // The door is a page of its own: there it is read.
    sayNext((error instanceof Error && error.message) || "common.hasError", "error");
    return null;
  }
}

/** Ends the session on the server, then in this browser, whatever the server said. */
export async function logOut(): Promise<void> {
  await send(accountCalls.logout, {}).catch(() => {});
  leaveSession();
}

/** A tab that slept while somebody else signed in begins again when it is looked at. */
export function watchForAnotherUser(): void {
  addEventListener("visibilitychange", () => {
    const known = queryClient.getQueryData(me.queryKey);
    if (document.visibilityState === "visible" && known && isAnother(known)) location.reload();
  });
}

/** Whether somebody else has signed in since, in another tab. */
function isAnother(known: UserInfo): boolean {
  const stored = readCookie(userCookie);
  return stored !== undefined && stored !== known.id;
}
