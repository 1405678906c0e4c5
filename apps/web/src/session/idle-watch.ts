import { sessionCalls } from "@arcada/contract/account/session.calls";
import { accountRules } from "@arcada/contract/account/account.rules";
import { send } from "../data/ask.ts";
import { deleteOfflineDatabase } from "../browser/offline-database.ts";
import { isLocked, lockKey, setLocked } from "../browser/session-lock.ts";
import { onSessionCleared } from "../browser/session-lifecycle.ts";
import { createStore } from "../browser/external-store.ts";
import { readToken } from "../browser/session-token.ts";

export const idleRules = { warnSeconds: accountRules.idleWarning } as const;

const activeKey = "arcada.active";
const reportedKey = "arcada.reported";
const minutesKey = "arcada.idleMinutes";

/** The idle state, shared by all tabs of this browser: the user is present, is warned, or is locked out. */
export type IdleState = { kind: "awake" } | { kind: "warning"; seconds: number } | { kind: "locked" };
export const idleState = createStore<IdleState>(isLocked() ? { kind: "locked" } : { kind: "awake" });

/** `minutes` without activity, then a minute of warning, then the lock. 0: never. */
export function computeIdleState(now: number, since: number, minutes: number, isLocked: boolean): IdleState {
  if (isLocked) return { kind: "locked" };
  if (minutes <= 0) return { kind: "awake" };
  const overdueSeconds = (now - since) / 1000 - minutes * 60;
  if (overdueSeconds < 0) return { kind: "awake" };
  const seconds = Math.ceil(idleRules.warnSeconds - overdueSeconds);
  return seconds > 0 ? { kind: "warning", seconds } : { kind: "locked" };
}

const activityEvents = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/**
 * Watches until the returned function is called. Opening a page counts as activity, but a page opens locked if the
 * other tabs are locked.
 */
export function startIdleWatch(minutes: number): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  localStorage.setItem(minutesKey, String(minutes));
  if (!isLocked()) recordActivity();
  reportActivity(minutes);
  let recordedAt = Date.now();
  const handleActivity = () => {
    const now = Date.now();
    const { kind } = idleState.get();
    // A moving pointer sends some hundred events a second.
    if (kind === "locked" || (kind === "awake" && now - recordedAt < 1000)) return;
    // A user who returns after the time-out finds the lock, even if the timer of a sleeping machine did not tick.
    if (updateIdleState(minutes).kind === "locked") return;
    recordedAt = now;
    recordActivity();
    reportActivity(minutes);
    updateIdleState(minutes);
  };
  for (const name of activityEvents) addEventListener(name, handleActivity, { signal, capture: true, passive: true });
  addEventListener("storage", () => updateIdleState(minutes), { signal });
  const timer = setInterval(() => updateIdleState(minutes), 1000);
  updateIdleState(minutes);
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}

/**
 * Runs before anything is read: a browser that was closed for longer than a session may be left alone opens without a
 * network with nothing kept.
 */
export function forgetOfflineAfterIdle(): void {
  const [minutes, active] = [minutesKey, activeKey].map((key) => Number(localStorage.getItem(key)));
  if (minutes && active && Date.now() - active > minutes * 60_000) deleteOfflineDatabase();
}

export function unlock(): void {
  // The order matters: another tab must never see the lock removed and the user still idle.
  recordActivity();
  localStorage.removeItem(lockKey);
  idleState.set({ kind: "awake" });
}
// The page is leaving for the sign-in: its content is not shown again.
onSessionCleared(() => localStorage.removeItem(lockKey));
const recordActivity = (): void => localStorage.setItem(activeKey, String(Date.now()));

/** Reports activity to the server: once for all tabs, and more often only if the time-out is short. */
function reportActivity(minutes: number): void {
  const now = Date.now();
  const every = Math.min(accountRules.touchEvery, minutes * 20) * 1000;
  if (minutes <= 0 || isLocked() || !readToken() || now - Number(localStorage.getItem(reportedKey)) < every) return;
  localStorage.setItem(reportedKey, String(now));
  send(sessionCalls.touchSession, {}).catch(() => localStorage.removeItem(reportedKey));
}

function updateIdleState(minutes: number): IdleState {
  const since = Number(localStorage.getItem(activeKey)) || Date.now();
  const wasLocked = isLocked();
  const next = computeIdleState(Date.now(), since, minutes, wasLocked);
  const now = idleState.get();
  // Only the tab that finds the time expired locks: repeating it would lock again after another tab has unlocked.
  if (next.kind === "locked" && !wasLocked) {
    setLocked();
    deleteOfflineDatabase();
    // Without a network the server finds out by its own clock.
    send(sessionCalls.lockSession, {}).catch(() => {});
  }
  const isSame =
    next.kind === now.kind && (next.kind !== "warning" || now.kind !== "warning" || next.seconds === now.seconds);
  if (!isSame) idleState.set(next);
  return next;
}

// Escape would close the dialogs under the lock, with everything typed in them. Registered before any of them can
// listen.
addEventListener(
  "keydown",
  (event) => {
    if (idleState.get().kind === "locked" && event.key === "Escape") event.stopImmediatePropagation();
  },
  true,
);
