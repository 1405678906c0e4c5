import { queryOptions, useQuery } from "@tanstack/react-query";
import { accountCalls } from "@arcada/contract/account/account.calls";
import type { UserInfo } from "@arcada/contract/account/account.calls";
import { roleOf } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { send } from "./ask.ts";
import { clearCookie, readCookie, writeCookie } from "./cookies.ts";
import { keyOf, queryClient } from "./queries.ts";
import { NoAnswer } from "./refused.ts";
import { say } from "./texts.ts";
import { toast } from "./toast.ts";
import { clearToken, readToken, storeToken } from "./token.ts";

const userCookie = "userId";
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("arcada-session");
const forgetters: (() => void)[] = [];

const me = queryOptions({
  queryKey: keyOf(accountCalls.getUserInfo),
  queryFn: ({ signal }) => send(accountCalls.getUserInfo, {}, { signal }),
  staleTime: 60_000,
});

/** Who is signed in; undefined on pages that need nobody. */
export const useMe = (): UserInfo | undefined => useQuery({ ...me, enabled: readToken() !== undefined }).data;
export const useRole = (): Role | undefined => {
  const info = useMe();
  return info && roleOf(info.authorityId);
};
/** The user for a page that stands behind the sign-in: the router has asked before it showed the page. */
export function useUser(): UserInfo {
  const info = useMe();
  if (!info) throw new Error("no user behind the sign-in");
  return info;
}
export const refetchMe = (): Promise<void> => queryClient.invalidateQueries({ queryKey: me.queryKey });

/** Who is signed in, or null when nobody is or the answer is of no use: then the token is gone and the reason was said. */
export async function whoIsIn(): Promise<UserInfo | null> {
  if (!readToken()) return null;
  try {
    const info = await queryClient.ensureQueryData(me);
    if (!info) throw new Error(say("common.verificationFailed"));
    if (info.roles.length === 0) throw new Error("getInfo: roles must be a non-null array!");
    writeCookie(userCookie, info.id);
    return info;
  } catch (error) {
    // Without a network nobody has signed out: the page offers to try again.
    if (error instanceof NoAnswer) throw error;
    forgetSession();
    if (error instanceof Error) toast("error", error.message || "Has Error");
    return null;
  }
}

/** After a sign-in: what an earlier user left in this browser is gone, other tabs begin again. */
export function enter(token: string, remember: boolean): void {
  forgetSession();
  storeToken(token, remember);
  channel?.postMessage("entered");
}

/** Ends the session on the server, then here and in the other tabs, whatever the server said. */
export async function logOut(): Promise<void> {
  await send(accountCalls.logout, {}).catch(() => {});
  forgetSession();
  channel?.postMessage("left");
}

/** After a switch of role or organisation: nothing that is on the page belongs to it, so the page begins again at its root. */
export function continueWith(token: string): void {
  storeToken(token);
  channel?.postMessage("switched");
  setTimeout(() => location.assign("/"), 100);
}

/** Called by what keeps something of a session in the browser, such as the tags bar. */
export const onForget = (forget: () => void): void => void forgetters.push(forget);

/** Clears token, user id, tabs and every cached answer. */
export function forgetSession(): void {
  clearToken();
  clearCookie(userCookie);
  for (const forget of forgetters) forget();
  queryClient.clear();
}

/** Follows what happens in other tabs of this browser. */
export function followOtherTabs(): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (data === "left") queryClient.clear();
    location.assign(data === "left" ? "/login" : "/");
  });
  addEventListener("visibilitychange", () => {
    const known = queryClient.getQueryData(me.queryKey);
    const stored = readCookie(userCookie);
    // Somebody else signed in while this tab slept.
    if (document.visibilityState === "visible" && known && stored && known.id !== stored) location.reload();
  });
}
