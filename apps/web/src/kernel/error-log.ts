import { NoAnswer, RefusedAnswer } from "./refused.ts";
import { onForget } from "./sign-in.ts";
import { createStore } from "./store.ts";

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

const most = { entries: 50, message: 500, stack: 4000 } as const;
let last = 0;

export function logError(error: unknown): void {
  if (isAnswer(error)) return;
  const message = messageOf(error).slice(0, most.message);
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  errorLog.set((now) => {
    const newest = now.at(-1);
    if (newest?.message === message && newest.path === location.pathname)
      return [...now.slice(0, -1), { ...newest, at: new Date().toISOString(), times: newest.times + 1 }];
    const entry = {
      id: ++last,
      at: new Date().toISOString(),
      path: location.pathname,
      message,
      stack: stack && withoutQueries(stack).slice(0, most.stack),
      times: 1,
    };
    return [...now.slice(1 - most.entries), entry];
  });
}

/** Logs every error from here on that nothing else has caught. */
export function watchErrors(): void {
  addEventListener("error", (event) => logError(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => logError(event.reason));
}

export const clearErrors = (): void => errorLog.set([]);
onForget(clearErrors);

/** Refusals by the server and requests without an answer were shown already; they are not errors of the page. */
const isAnswer = (error: unknown): boolean =>
  error instanceof RefusedAnswer ||
  error instanceof NoAnswer ||
  (error instanceof DOMException && error.name === "AbortError") ||
  // The browser's own remark that a page took two frames to settle.
  (typeof error === "string" && error.startsWith("ResizeObserver loop"));

const messageOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.name}: ${error.message}`
    : typeof error === "string"
      ? error
      : JSON.stringify(error);
const withoutQueries = (stack: string): string => stack.replace(/\?[^\s:)]*/g, "");
