import { clearCookie } from "./cookies.ts";
import { deleteOfflineDatabase } from "./offline-database.ts";
import { clearToken, storeToken } from "./session-token.ts";

/** The id of the user whose page this browser showed last. */
export const userCookie = "userId";
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("arcada-session");
const clearHandlers: (() => void)[] = [];
const signOutHandlers: (() => void)[] = [];
const switchHandlers: (() => void)[] = [];

/** After a sign-in: removes everything that an earlier user left in this browser; other tabs reload. */
export function startSession(token: string, remember: boolean): void {
  clearSession();
  storeToken(token, remember);
  channel?.postMessage("entered");
}

/**
 * After a change of role or institution: nothing on the page belongs to it, so the page reloads at its root or
 * elsewhere.
 */
export function switchSession(token: string, at = "/"): void {
  for (const stop of switchHandlers) stop();
  deleteOfflineDatabase();
  storeToken(token);
  channel?.postMessage("switched");
  setTimeout(() => location.assign(at), 100);
}

/** Signs out: ends everything that this browser holds of a session, in every tab. */
export function endSession(): void {
  clearSession();
  for (const leave of signOutHandlers) leave();
  channel?.postMessage("left");
}

/** Registered by modules that keep data of a session: cached answers, the tabs bar. */
export const onSessionCleared = (forget: () => void): void => void clearHandlers.push(forget);

/** Registered by modules whose data outlive an expired session but not a sign-out: unsent form input. */
export const onSignOut = (leave: () => void): void => void signOutHandlers.push(leave);

/** Registered by modules whose work must not continue under another role or institution: uploads in progress. */
export const onSessionSwitch = (stop: () => void): void => void switchHandlers.push(stop);

/** Clears the token, the user id and all kept data. */
export function clearSession(): void {
  clearToken();
  clearCookie(userCookie);
  deleteOfflineDatabase();
  for (const forget of clearHandlers) forget();
}

/** Follows sign-in, sign-out and changes of role in other tabs of this browser. */
export function syncSessionAcrossTabs(): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (data === "left") for (const forget of [...clearHandlers, ...signOutHandlers]) forget();
    else for (const stop of switchHandlers) stop();
    location.assign(data === "left" ? "/login" : "/");
  });
}
