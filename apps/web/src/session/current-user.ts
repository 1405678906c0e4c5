import { queryOptions, useQuery } from "@tanstack/react-query";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { findRole } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import { homePathOf } from "@arcada/contract/start-page";
import { send } from "../data/ask.ts";
import { useAppearance } from "../browser/appearance.ts";
import { readCookie, writeCookie } from "../browser/cookies.ts";
import { queryKeyOf, queryClient } from "../data/query-client.ts";
import { NoResponseError } from "../data/call-errors.ts";
import { setFlashMessage } from "./flash-message.ts";
import { clearSession, endSession, userCookie } from "../browser/session-lifecycle.ts";
import { getText } from "../i18n/texts.ts";
import { readToken } from "../browser/session-token.ts";
import { setInstitutionZone } from "../i18n/time-zone.ts";

const currentUserQuery = queryOptions({
  queryKey: queryKeyOf(profileCalls.getUserInfo),
  queryFn: async ({ signal }) => {
    const info = await send(profileCalls.getUserInfo, {}, { signal });
    // Lists of a day and figures of a month differ in another time zone.
    if (info && setInstitutionZone(info.institution)) void queryClient.invalidateQueries({ predicate: isOtherQuery });
    return info;
  },
  staleTime: 60_000,
});

const isOtherQuery = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey[0] !== currentUserQuery.queryKey[0];

/** Prefetches the signed-in user. */
export const prefetchCurrentUser = (): Promise<void> => queryClient.prefetchQuery(currentUserQuery);

/** The signed-in user; undefined on pages that need no sign-in. */
export const useCurrentUser = (): UserInfo | undefined =>
  useQuery({ ...currentUserQuery, enabled: readToken() !== undefined }).data;
export const useRole = (): Role | undefined => {
  const info = useCurrentUser();
  return info && findRole(info.authorityId);
};
/** The start page of the role; null before it is known. */
export function useHomePath(): string | null {
  const role = useRole();
  const { today } = useAppearance();
  return role ? homePathOf(role, today ? "today" : "list") : null;
}
let lastUser: UserInfo | undefined;
/**
 * The user for a page that requires sign-in: the router has checked before it showed the page. If the session ends
 * while the page is still shown, the last user is returned until the page is closed.
 */
export function useSignedInUser(): UserInfo {
  const info = useCurrentUser() ?? lastUser;
  if (!info) throw new Error("no user behind the sign-in");
  return info;
}
export const refetchCurrentUser = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });

/**
 * Returns the signed-in user, or null if nobody is signed in or the answer is unusable: then the token is removed and
 * the reason is shown on the next page.
 */
export async function loadCurrentUser(): Promise<UserInfo | null> {
  if (!readToken()) return null;
  const known = queryClient.getQueryData(currentUserQuery.queryKey);
  if (known && isDifferentUser(known)) {
    location.reload();
    return new Promise(() => {});
  }
  try {
    const info = await queryClient.ensureQueryData(currentUserQuery);
    if (!info) throw new Error(getText("common.verificationFailed"));
    if (info.roles.length === 0) throw new Error(getText("common.noRoles"));
    writeCookie(userCookie, info.id);
    lastUser = info;
    return info;
  } catch (error) {
    // Without a network nobody was signed out: the page offers to try again.
    if (error instanceof NoResponseError) throw error;
    clearSession();
    // The message is shown on the sign-in page, which is loaded next.
    setFlashMessage((error instanceof Error && error.message) || "common.hasError", "error");
    return null;
  }
}

/** Ends the session on the server, then in this browser, whatever the server answers. */
export async function logOut(): Promise<void> {
  await send(sessionCalls.logout, {}).catch(() => {});
  endSession();
}

/** Ends the session and shows the sign-in page. */
export async function signOut(): Promise<void> {
  await logOut();
  location.assign(screens.login.path);
}

/** Reloads a tab, when it becomes visible, if another user has signed in while it was in the background. */
export function reloadOnUserChange(): void {
  addEventListener("visibilitychange", () => {
    const known = queryClient.getQueryData(currentUserQuery.queryKey);
    if (document.visibilityState === "visible" && known && isDifferentUser(known)) location.reload();
  });
}

/** True if another user has signed in since, in another tab. */
function isDifferentUser(known: UserInfo): boolean {
  const stored = readCookie(userCookie);
  return stored !== undefined && stored !== known.id;
}
