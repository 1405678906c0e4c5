import { readFieldProblems } from "../../data/call-errors.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import type { DraftFile, Draft } from "./order-draft.ts";

/**
 * Returns the draft with the rejected files marked, which are not sent again; null if the rejection concerns something
 * else. A rejection without a name applies to all files that were not rejected yet.
 */
export function markRefused(draft: Draft, error: RefusalError): Draft | null {
  if (!/^(file|upload|zip|quota)/.test(error.name)) return null;
  const { name } = (error.details ?? {}) as { name?: unknown };
  const isAffected = (file: DraftFile) => !file.refused && (typeof name !== "string" || file.name === name);
  if (!draft.uploads.some(isAffected)) return null;
  return {
    ...draft,
    uploads: draft.uploads.map((file) => (isAffected(file) ? { ...file, refused: error.msg } : file)),
  };
}

const fieldByRefusal: Partial<Record<RefusalError["name"], string>> = {
  orderNoRelation: "targetIid",
  institutionUnknown: "targetIid",
  orderFileForeign: "files",
};

/** Returns the error messages by field; the key "" is used for a message that belongs to no single field. */
export function getProblemsByField(error: RefusalError): Record<string, string> {
  const field = fieldByRefusal[error.name];
  if (field) return { [field]: error.msg };
  return { "": error.msg, ...(error.name === "badInput" && readFieldProblems(error)) };
}
