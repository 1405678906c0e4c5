import { fieldProblems } from "../../kernel/refused.ts";
import type { RefusedAnswer } from "../../kernel/refused.ts";
import type { AddedFile, Draft } from "./draft.ts";

/**
 * Returns the draft with the rejected files marked, which are not sent again; null if the rejection concerns something
 * else. A rejection without a name applies to all files that were not rejected yet.
 */
export function markRefused(draft: Draft, error: RefusedAnswer): Draft | null {
  if (!/^(file|upload|zip|quota)/.test(error.name)) return null;
  const { name } = (error.details ?? {}) as { name?: unknown };
  const isMeant = (file: AddedFile) => !file.refused && (typeof name !== "string" || file.name === name);
  if (!draft.uploads.some(isMeant)) return null;
  return {
    ...draft,
    uploads: draft.uploads.map((file) => (isMeant(file) ? { ...file, refused: error.msg } : file)),
  };
}

const fieldOf: Partial<Record<RefusedAnswer["name"], string>> = {
  orderNoRelation: "targetIid",
  institutionUnknown: "targetIid",
  orderFileForeign: "files",
};

/** Returns the error messages by field; the key "" is used for a message that belongs to no single field. */
export function problemsOf(error: RefusedAnswer): Record<string, string> {
  const field = fieldOf[error.name];
  if (field) return { [field]: error.msg };
  return { "": error.msg, ...(error.name === "badInput" && fieldProblems(error)) };
}
