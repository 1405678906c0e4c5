import { clearCookie } from "./cookies.ts";
import { clearToken, storeToken } from "./token.ts";

/** The id of the user whose page this browser showed last. */
export const userCookie = "userId";
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("arcada-session");
const forgetters: (() => void)[] = [];
const leavers: (() => void)[] = [];
const stoppers: (() => void)[] = [];

/** After a sign-in: removes everything that an earlier user left in this browser; other tabs reload. */
export function enter(token: string, remember: boolean): void {
  forgetSession();
  storeToken(token, remember);
  channel?.postMessage("entered");
}

/**
 * After a change of role or institution: nothing on the page belongs to it, so the page reloads at its root or
 * elsewhere.
 */
export function continueWith(token: string, at = "/"): void {
  for (const stop of stoppers) stop();
  storeToken(token);
  channel?.postMessage("switched");
  setTimeout(() => location.assign(at), 100);
}

/** Signs out: ends everything that this browser holds of a session, in every tab. */
export function leaveSession(): void {
  forgetSession();
  for (const leave of leavers) leave();
  channel?.postMessage("left");
}

/** Registered by modules that keep data of a session: cached answers, the tabs bar. */
export const onForget = (forget: () => void): void => void forgetters.push(forget);

/** Registered by modules whose data outlive an expired session but not a sign-out: unsent form input. */
export const onLeave = (leave: () => void): void => void leavers.push(leave);

/** Registered by modules whose work must not continue under another role or institution: uploads in progress. */
export const onSwitch = (stop: () => void): void => void stoppers.push(stop);

/** Clears the token, the user id and all kept data. */
export function forgetSession(): void {
  clearToken();
  clearCookie(userCookie);
  for (const forget of forgetters) forget();
}

/** Follows sign-in, sign-out and changes of role in other tabs of this browser. */
export function followOtherTabs(): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (data === "left") for (const forget of [...forgetters, ...leavers]) forget();
    else for (const stop of stoppers) stop();
    location.assign(data === "left" ? "/login" : "/");
  });
}
