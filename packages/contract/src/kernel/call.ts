import type { z } from "zod";
import type { Access } from "./roles.ts";
import { findUnstorablePath } from "./storable-text.ts";

/** One call of the product's wire: everything that server, web, OpenAPI and tests know about it. */
export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  method: "GET" | "POST";
  path: `/v1/${string}`;
  access: Access;
  input: I;
  output: O;
  /** One sentence for people who read the OpenAPI document. */
  summary: string;
  /** The call also answers a locked session: its owner must be able to see whose session it is, and to leave it. */
  allowedWhileLocked?: true;
  /** The call proves who somebody is: its refusals are counted as failed attempts to sign in. */
  isSignIn?: true;
  /** Creates or moves something: a repeated `idempotency-key` gets the first answer again. */
  isIdempotent?: true;
  /** The most bytes of a request, where the usual 2 MiB are too few. */
  maxBodyBytes?: number;
  /** The call is going to be removed: the days since when this is announced and until when it is served, and what replaces it. */
  deprecated?: { since: string; until: string; instead: string };
  /**
   * The call only reads, and its answer may be some seconds old: a replica of the database may give it. Nobody expects
   * to find in it what they changed a moment ago.
   */
  toleratesDelay?: true;
  /** The call reads or writes a person's record: the name under which the audit log lists it. */
  audit?: string;
}

export const call = <I extends z.ZodType, O extends z.ZodType>(row: Call<I, O>): Call<I, O> => row;

export type CallTable = Record<string, Call>;
export type Input<C extends Call> = z.input<C["input"]>;
export type Parsed<C extends Call> = z.output<C["input"]>;
export type Output<C extends Call> = z.output<C["output"]>;

/**
 * Parses a request by its call's schema; returns the data, or an error message for each field. Text that cannot be
 * stored is rejected here for every field alike, so that no field can forget it.
 */
export function readInput<C extends Call>(
  { input }: C,
  raw: unknown,
): { data: Parsed<C> } | { fieldErrors: Record<string, string> } {
  const path = findUnstorablePath(raw);
  if (path) return { fieldErrors: { [path.join(".")]: "invalid" } };
  const { data, error } = input.safeParse(raw);
  return error
    ? { fieldErrors: Object.fromEntries(error.issues.map((issue) => [issue.path.join("."), issue.message])) }
    : { data: data as Parsed<C> };
}
