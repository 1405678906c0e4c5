import { findOutage, outages, type Outage } from "../platform/http/outages.ts";

/**
 * Returns the error if the file is not at fault, so that its task is tried again; null if the file is at fault. The
 * message of an outage is its name.
 */
export function transientErrorMessage(error: unknown): string | null {
  const outage = findOutage(error);
  if (outage) return outage;
  const { code = "", message } = error as { code?: string; message?: string };
  return ["EMFILE", "ENFILE", "ENOENT", "EACCES", "EIO"].includes(code) ? (message ?? code) : null;
}

/** Returns the outage that ended a run, also one that a worker reported; null if a file, or our code, is at fault. */
export function findJobOutage(error: unknown): Outage | null {
  return findOutage(error) ?? outages.find((outage) => error instanceof Error && error.message === outage) ?? null;
}
