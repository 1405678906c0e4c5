import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { successCode } from "@arcada/contract/kernel/refusals";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { takePrefetched } from "./prefetched-responses.ts";
import { deleteOfflineDatabase } from "../browser/offline-database.ts";
import { setLocked } from "../browser/session-lock.ts";
import { NoResponseError, toRefusalError } from "./call-errors.ts";
import { showError } from "./show-error.ts";
import { currentLanguage } from "../i18n/texts.ts";
import { isOfSameSession, readToken, renewToken } from "../browser/session-token.ts";
import { getGuestSession } from "../browser/guest-session-secret.ts";

export interface AskOptions {
  signal?: AbortSignal;
  idempotencyKey?: string;
  /** The time-out in milliseconds; the default is 10,000, as the wire contract specifies. */
  timeout?: number;
  /** The part of the interface that shows refusals of its kind; all others become toasts. */
  shownBy?: "form" | "page";
}

/** Asks the server and shows a refusal; throws RefusedAnswer or NoAnswer. */
export async function ask<C extends Call>(call: C, input: Input<C>, options: AskOptions = {}): Promise<Output<C>> {
  try {
    return await send(call, input, options);
  } catch (error) {
    showError(error, options.shownBy);
    throw error;
  }
}

interface OfflineReader {
  keeps(path: string): boolean;
  /** `token`: the one with which the answer was asked for. */
  store(path: string, address: string, data: unknown, token: string): void;
  find(path: string, address: string): Promise<{ data: unknown } | null>;
}
let offlineReader: OfflineReader | null = null;
/** The reader is set behind the sign-in: the sign-in pages neither keep answers nor load the code for it. */
export const setOfflineReader = (reader: OfflineReader): void => void (offlineReader = reader);

/** Asks the server and shows nothing. Without an answer, some calls are answered as they were last. */
export async function send<C extends Call>(call: C, input: Input<C>, options: AskOptions = {}): Promise<Output<C>> {
  if (call.method !== "GET" || !offlineReader?.keeps(call.path)) return sendOnline(call, input, options);
  const address = call.path + buildQuery(input);
  const token = readToken() ?? "";
  try {
    const data = await sendOnline(call, input, options);
    offlineReader.store(call.path, address, data, token);
    return data;
  } catch (error) {
    const kept = error instanceof NoResponseError ? await offlineReader.find(call.path, address) : null;
    if (!kept) throw error;
    return kept.data as Output<C>;
  }
}

async function sendOnline<C extends Call>(call: C, input: Input<C>, options: AskOptions): Promise<Output<C>> {
  // Public calls and calls of a guest session send no token: a user who signs in again still holds the token of the
  // session that ended, and it must not get in the way.
  const token = call.access === "anyone" || call.access === "share" ? "" : readToken();
  const response = await sendRequest(call, input, {
    ...options,
    headers: { ...buildHeaders(token, options), ...(call.access === "share" && { visit: getGuestSession() }) },
  });
  const newToken = response.headers.get("new-token");
  // The user may have signed out or in while this answer was in transit: then the token belongs to a session that is
  // over.
  if (newToken && token && readToken() === token) renewToken(token, newToken);
  return unwrap<C>(response, token, options.signal);
}

/** The headers of every request, also of those that are no calls: uploads and the live stream. */
export function buildHeaders(token = readToken(), options: { idempotencyKey?: string } = {}): Record<string, string> {
  return {
    ...(token && { token, "session-id": token }),
    "local-time": formatLocalTime(),
    "app-platform": "cbct",
    "accept-language": currentLanguage(),
    ...(options.idempotencyKey && { "idempotency-key": options.idempotencyKey }),
  };
}

// The Swedish form is exactly the wire's YYYY-MM-DD HH:mm:ss.
const formatLocalTime = (): string => new Date().toLocaleString("sv-SE");

async function sendRequest(
  call: Call,
  input: unknown,
  options: AskOptions & { headers: Record<string, string> },
): Promise<Response> {
  const timeoutSignal = AbortSignal.timeout(options.timeout ?? 10_000);
  const signal = options.signal ? AbortSignal.any([options.signal, timeoutSignal]) : timeoutSignal;
  const isGet = call.method === "GET";
  const address = isGet ? call.path + buildQuery(input) : call.path;
  try {
    const prefetched =
      isGet && takePrefetched(address, (token) => isOfSameSession(token, options.headers["token"] ?? ""));
    if (prefetched) return await prefetched;
    return await fetch(address, {
      method: call.method,
      headers: isGet ? options.headers : { ...options.headers, "content-type": "application/json" },
      ...(!isGet && { body: JSON.stringify(input ?? {}) }),
      signal,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NoResponseError(timeoutSignal.aborted, error, options.idempotencyKey !== undefined && !navigator.onLine);
  }
}

function buildQuery(input: unknown): string {
  const entries = Object.entries((input ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const query = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query === "" ? "" : `?${query}`;
}

async function unwrap<C extends Call>(
  response: Response,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Output<C>> {
  const body = await readEnvelope(response, signal);
  // A body with its own `type` is not an envelope and passes through, as does an envelope with code 0.
  if (response.ok && ("type" in body || body.code === 0)) return body as Output<C>;
  if (body.code === successCode) return body.data as Output<C>;
  if (body.code === 301 && redirectTo(body.data)) return new Promise(() => {});
  const refused = toRefusalError(response, body);
  // An answer to a call with the previous token may still arrive after the user has signed in again.
  if (token === readToken()) {
    if (refused.name === "sessionLocked") setLocked();
    // A session that has ended, or is locked, leaves nothing behind that opens without the server.
    if (refused.name === "sessionLocked" || refused.show === "signInAgain") deleteOfflineDatabase();
  }
  throw refused;
}

async function readEnvelope(response: Response, signal: AbortSignal | undefined): Promise<Envelope> {
  try {
    return (await response.json()) as Envelope;
  } catch (error) {
    // The page no longer wants the answer: this says nothing about the server.
    if (signal?.aborted) throw error;
    // A gateway answered with its own page: for the user, the server is unreachable.
    throw new NoResponseError(false, error);
  }
}

/**
 * Code 301: redirects the browser to an address of this origin. The appended code is a single-use exchange code, never
 * the token.
 */
function redirectTo(data: unknown): boolean {
  const { url, code } =
    typeof data === "string" ? { url: data, code: undefined } : (data as { url: string; code?: string });
  const target = URL.canParse(url, location.origin) ? new URL(url, location.origin) : null;
  if (!target || target.origin !== location.origin) return false;
  if (code) target.searchParams.set("token", code);
  location.assign(target.href);
  return true;
}
