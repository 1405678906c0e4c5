import { clearCookie } from "./cookies.ts";
import { clearToken, storeToken } from "./token.ts";

/** The id of the user whose page this browser showed last. */
export const userCookie = "userId";
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("arcada-session");
const forgetters: (() => void)[] = [];
const leavers: (() => void)[] = [];
const stoppers: (() => void)[] = [];

/** After a sign-in: what an earlier user left in this browser is gone, other tabs begin again. */
export function enter(token: string, remember: boolean): void {
  forgetSession();
  storeToken(token, remember);
  channel?.postMessage("entered");
}

/** After a switch of role or organisation: nothing that is on the page belongs to it, so the page begins again at its root or elsewhere. */
export function continueWith(token: string, at = "/"): void {
  for (const stop of stoppers) stop();
  storeToken(token);
  channel?.postMessage("switched");
  setTimeout(() => location.assign(at), 100);
}

/** Ends what this browser holds of a session, in every tab. */
export function leaveSession(): void {
  forgetSession();
  for (const leave of leavers) leave();
  channel?.postMessage("left");
}

/** Called by what keeps something of a session: cached answers, the tags bar. */
export const onForget = (forget: () => void): void => void forgetters.push(forget);

/** Called by what outlives a session that merely ended, and not a sign-out: what was typed and not sent. */
export const onLeave = (leave: () => void): void => void leavers.push(leave);

/** Called by what must not go on under another role or organisation: files on their way. */
export const onSwitch = (stop: () => void): void => void stoppers.push(stop);

/** Clears token, user id and whatever was kept. */
export function forgetSession(): void {
  clearToken();
  clearCookie(userCookie);
  for (const forget of forgetters) forget();
}

/** Follows what happens in other tabs of this browser. */
export function followOtherTabs(): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (data === "left") for (const forget of [...forgetters, ...leavers]) forget();
    else for (const stop of stoppers) stop();
    location.assign(data === "left" ? "/login" : "/");
  });
}
