import { fieldProblems } from "../../kernel/refused.ts";
import type { RefusedAnswer } from "../../kernel/refused.ts";
import type { AddedFile, Draft } from "./draft.ts";

/**
 * The draft with the files marked that the server did not take, which stay out from now on; null where the refusal is
 * about something else. A refusal without a name means all files that were not refused yet.
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

/** What a refusal says, by the field beside which it stands; "" stands beside no single one. */
export function problemsOf(error: RefusedAnswer): Record<string, string> {
  const field = fieldOf[error.name];
  if (field) return { [field]: error.msg };
  return { "": error.msg, ...(error.name === "badInput" && fieldProblems(error)) };
}
