import type { RefusalName } from "@arcada/contract/kernel/refusals";

/** A named refusal by the server; `serve` turns it into the envelope in the reader's language. */
export class Refused extends Error {
  readonly refusal: RefusalName;
  readonly details: unknown;
  readonly keepsWrites: boolean;
  constructor(refusal: RefusalName, details: unknown, keepsWrites: boolean) {
    super(refusal);
    this.refusal = refusal;
    this.details = details;
    this.keepsWrites = keepsWrites;
  }
}

/** Ends the call and rolls back all that it wrote. */
export function refuse(refusal: RefusalName, details: unknown = null): never {
  throw new Refused(refusal, details, false);
}

/** Ends the call, but keeps what it wrote: a counted wrong code, the end of a stolen session. */
export function refuseAndKeep(refusal: RefusalName, details: unknown = null): never {
  throw new Refused(refusal, details, true);
}
