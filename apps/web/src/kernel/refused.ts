import { refusals } from "@arcada/contract/kernel/refusals";
import type { Refusal, RefusalName, Show } from "@arcada/contract/kernel/refusals";

/** The server said no. `name` is the refusal's row in the contract, "unknown" for a code that has none. */
export class RefusedAnswer extends Error {
  override readonly name: RefusalName | "unknown";
  readonly code: number;
  readonly status: number;
  readonly msg: string;
  readonly details: unknown;
  readonly requestId: string | null;

  constructor(answer: { code: number; status: number; msg: string; details: unknown; requestId: string | null }) {
    super(answer.msg);
    this.name = nameOf(answer.code);
    this.code = answer.code;
    this.status = answer.status;
    this.msg = answer.msg;
    this.details = answer.details;
    this.requestId = answer.requestId;
  }

  get show(): Show {
    return this.name === "unknown" ? "toast" : refusals[this.name].show;
  }
}

/** No answer came: no network, the server is away, or it took longer than the time-out. */
export class NoAnswer extends Error {
  readonly late: boolean;
  constructor(late: boolean, cause: unknown) {
    super(late ? "timeout" : "network", { cause });
    this.late = late;
  }
}

export const isRefused = (error: unknown, ...names: RefusalName[]): error is RefusedAnswer =>
  error instanceof RefusedAnswer && (names.length === 0 || names.includes(error.name as RefusalName));

/** What a refusal says about single fields: the field's name → a key of common.field, or a text that is ready to show. */
export function fieldProblems(error: RefusedAnswer): Record<string, string> {
  if (typeof error.details !== "object" || error.details === null) return {};
  const said = Object.entries(error.details).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(said.map(([field, problem]) => [field, problem === error.name ? error.msg : problem]));
}

const byCode = new Map((Object.entries(refusals) as [RefusalName, Refusal][]).map(([name, { code }]) => [code, name]));
const nameOf = (code: number): RefusalName | "unknown" => byCode.get(code) ?? "unknown";
