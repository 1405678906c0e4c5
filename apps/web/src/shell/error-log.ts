import { NoResponseError, RefusalError } from "../data/call-errors.ts";
import { onSessionCleared } from "../browser/session-lifecycle.ts";
import { createStore } from "../browser/external-store.ts";

/** A client-side error since this page was loaded. The location is a path only: queries name patients. */
export interface LoggedError {
  id: number;
  at: string;
  path: string;
  message: string;
  stack: string | null;
  /** Number of occurrences in a row. */
  times: number;
}
export const errorLog = createStore<LoggedError[]>([]);

const limits = { entries: 50, message: 500, stack: 4000 } as const;
let lastId = 0;

export function logError(error: unknown): void {
  if (isKnownFailure(error)) return;
  const message = formatMessage(error).slice(0, limits.message);
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  errorLog.set((now) => {
    const newest = now.at(-1);
    if (newest?.message === message && newest.path === location.pathname)
      return [...now.slice(0, -1), { ...newest, at: new Date().toISOString(), times: newest.times + 1 }];
    const entry = {
      id: ++lastId,
      at: new Date().toISOString(),
      path: location.pathname,
      message,
      stack: stack && stripQueries(stack).slice(0, limits.stack),
      times: 1,
    };
    return [...now.slice(1 - limits.entries), entry];
  });
}

/** Logs every error from here on that nothing else has caught. */
export function startErrorLog(): void {
  addEventListener("error", (event) => logError(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => logError(event.reason));
}

export const clearErrors = (): void => errorLog.set([]);
onSessionCleared(clearErrors);

/** Refusals by the server and requests without an answer were shown already; they are not errors of the page. */
const isKnownFailure = (error: unknown): boolean =>
  error instanceof RefusalError ||
  error instanceof NoResponseError ||
  (error instanceof DOMException && error.name === "AbortError") ||
  // The browser's own notice that the layout of a page needed two frames to settle.
  (typeof error === "string" && error.startsWith("ResizeObserver loop"));

const formatMessage = (error: unknown): string =>
  error instanceof Error
    ? `${error.name}: ${error.message}`
    : typeof error === "string"
      ? error
      : JSON.stringify(error);
const stripQueries = (stack: string): string => stack.replace(/\?[^\s:)]*/g, "");
