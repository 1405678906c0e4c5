import type { Refused } from "../platform/http/refuse.ts";

/** A full disk or an absent bucket is no fault of the files: their job is tried again for a while. */
export const outages = ["storageFull", "unavailable"] as const;
export const isOutage = ({ refusal }: Refused): boolean => outages.some((name) => name === refusal);

/** Returns the error if the file is not at fault, so that its task is tried again; null if the file is at fault. */
export function transientErrorMessage(error: unknown): string | null {
  const { code = "", message } = error as { code?: string; message?: string };
  if (code === "ENOSPC" || code === "EDQUOT") return "storageFull";
  return ["EMFILE", "ENFILE", "ENOENT", "EACCES", "EIO"].includes(code) ? (message ?? code) : null;
}
