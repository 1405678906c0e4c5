import { accountCalls } from "@arcada/contract/account/account.calls";
import { accountRules } from "@arcada/contract/account/account.rules";
import { send } from "./ask.ts";
import { isLocked, lockKey, showLocked } from "./locked.ts";
import { onForget } from "./sign-in.ts";
import { createStore } from "./store.ts";
import { readToken } from "./token.ts";

export const idleRules = { warnSeconds: accountRules.idleWarning } as const;

const activeKey = "arcada.active";
const reportedKey = "arcada.reported";

/** The idle state, shared by all tabs of this browser: the user is present, is warned, or is locked out. */
export type Watch = { kind: "awake" } | { kind: "warning"; seconds: number } | { kind: "locked" };
export const watch = createStore<Watch>(isLocked() ? { kind: "locked" } : { kind: "awake" });

/** `minutes` without activity, then a minute of warning, then the lock. 0: never. */
export function watchAt(now: number, since: number, minutes: number, isLocked: boolean): Watch {
  if (isLocked) return { kind: "locked" };
  if (minutes <= 0) return { kind: "awake" };
  const over = (now - since) / 1000 - minutes * 60;
  if (over < 0) return { kind: "awake" };
  const seconds = Math.ceil(idleRules.warnSeconds - over);
  return seconds > 0 ? { kind: "warning", seconds } : { kind: "locked" };
}

const touches = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/**
 * Watches until the returned function is called. Opening a page counts as activity, but a page opens locked if the
 * other tabs are locked.
 */
export function startIdle(minutes: number): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  if (!isLocked()) touched();
  report(minutes);
  let written = Date.now();
  const touch = () => {
    const now = Date.now();
    const { kind } = watch.get();
    // A moving pointer sends some hundred events a second.
    if (kind === "locked" || (kind === "awake" && now - written < 1000)) return;
    // A user who returns after the time-out finds the lock, even if the timer of a sleeping machine did not tick.
    if (look(minutes).kind === "locked") return;
    written = now;
    touched();
    report(minutes);
    look(minutes);
  };
  for (const name of touches) addEventListener(name, touch, { signal, capture: true, passive: true });
  addEventListener("storage", () => look(minutes), { signal });
  const timer = setInterval(() => look(minutes), 1000);
  look(minutes);
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}

export function unlock(): void {
  // The order matters: another tab must never see the lock removed and the user still idle.
  touched();
  localStorage.removeItem(lockKey);
  watch.set({ kind: "awake" });
}
// The page is leaving for the sign-in: its content is not shown again.
onForget(() => localStorage.removeItem(lockKey));
const touched = (): void => localStorage.setItem(activeKey, String(Date.now()));

/** Reports activity to the server: once for all tabs, and more often only if the time-out is short. */
function report(minutes: number): void {
  const now = Date.now();
  const every = Math.min(accountRules.touchEvery, minutes * 20) * 1000;
  if (minutes <= 0 || isLocked() || !readToken() || now - Number(localStorage.getItem(reportedKey)) < every) return;
  localStorage.setItem(reportedKey, String(now));
  send(accountCalls.touchSession, {}).catch(() => localStorage.removeItem(reportedKey));
}

function look(minutes: number): Watch {
  const since = Number(localStorage.getItem(activeKey)) || Date.now();
  const wasLocked = isLocked();
  const next = watchAt(Date.now(), since, minutes, wasLocked);
  const now = watch.get();
  // Only the tab that finds the time expired locks: repeating it would lock again after another tab has unlocked.
  if (next.kind === "locked" && !wasLocked) {
    showLocked();
    // Without a network the server finds out by its own clock.
    send(accountCalls.lockSession, {}).catch(() => {});
  }
  const isSame =
    next.kind === now.kind && (next.kind !== "warning" || now.kind !== "warning" || next.seconds === now.seconds);
  if (!isSame) watch.set(next);
  return next;
}

// Escape would close the dialogs under the lock, with everything typed in them. Registered before any of them can
// listen.
addEventListener(
  "keydown",
  (event) => {
    if (watch.get().kind === "locked" && event.key === "Escape") event.stopImmediatePropagation();
  },
  true,
);
