import { refusals } from "@arcada/contract/kernel/refusals";
import type { Refusal, RefusalName, RefusalDisplay } from "@arcada/contract/kernel/refusals";
import { currentLanguage, getText, translateDynamic } from "../i18n/texts.ts";
import type { Language, Translate } from "../i18n/texts.ts";
import type { Values } from "../i18n/translate.ts";

/** A refusal by the server. `name` is the refusal's row in the contract, "unknown" for a code that has none. */
export class RefusalError extends Error {
  override readonly name: RefusalName | "unknown";
  readonly code: number;
  readonly status: number;
  readonly details: unknown;
  readonly requestId: string | null;
  readonly #said: { msg: string; language: Language };

  constructor(answer: { code: number; status: number; msg: string; details: unknown; requestId: string | null }) {
    super(answer.msg);
    this.name = findRefusalName(answer.code);
    this.code = answer.code;
    this.status = answer.status;
    this.#said = { msg: answer.msg, language: currentLanguage() };
    this.details = answer.details;
    this.requestId = answer.requestId;
  }

  /** The server's message; after a change of language, the same in the new one. */
  get msg(): string {
    const { msg, language } = this.#said;
    if (language === currentLanguage()) return msg;
    const values = typeof this.details === "object" ? (this.details as Values | null) : null;
    return translateRefusal(getText, this.name, msg, values ?? {});
  }

  get show(): RefusalDisplay {
    return this.name === "unknown" ? "toast" : refusals[this.name].show;
  }
}

/** Translates the name of a refusal, which the server may have added later. Requires the texts `refusals`. */
export const translateRefusal = (t: Translate, name: string, fallback: string, values?: Values): string =>
  translateDynamic(t, `refusals.${name}`, fallback, values);

/** Makes a RefusedAnswer from an envelope that reports a refusal. */
export const toRefusalError = (
  { status, headers }: Response,
  { code, msg, data }: { code: number; msg: string; data: unknown },
): RefusalError => new RefusalError({ code, status, msg, details: data, requestId: headers.get("request-id") });

/** No answer arrived: no network, the server is down, or it took longer than the time-out. */
export class NoResponseError extends Error {
  readonly isTimeout: boolean;
  /** True if something was to be changed while the browser had no network: nothing was sent. */
  readonly isOfflineChange: boolean;
  constructor(isTimeout: boolean, cause: unknown, isOfflineChange = false) {
    super(isTimeout ? "timeout" : "network", { cause });
    this.isTimeout = isTimeout;
    this.isOfflineChange = isOfflineChange;
  }
}

export const isRefused = (error: unknown, ...names: RefusalName[]): error is RefusalError =>
  error instanceof RefusalError && (names.length === 0 || names.includes(error.name as RefusalName));

/** Returns the problems of single fields: the field's name → a key of common.field, or a text that is ready to show. */
export function readFieldProblems(error: RefusalError): Record<string, string> {
  if (typeof error.details !== "object" || error.details === null) return {};
  const textEntries = Object.entries(error.details).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(
    textEntries.map(([field, problem]) => [field, problem === error.name ? error.msg : problem]),
  );
}

const namesByCode = new Map(
  (Object.entries(refusals) as [RefusalName, Refusal][]).map(([name, { code }]) => [code, name]),
);
const findRefusalName = (code: number): RefusalName | "unknown" => namesByCode.get(code) ?? "unknown";
