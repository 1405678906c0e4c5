import { readCookie } from "./cookies.ts";
import { onLeave, userCookie } from "./sign-in.ts";

/**
 * Form input that was typed and not sent yet, kept in this tab so that a reload or an ended session does not lose it.
 * It belongs to the user who typed it and is removed at sign-out. Never use it for passwords and codes.
 */
export function readDraft<V extends object>(name: string, start: V): V | null {
  forgetOthers();
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "null");
    return typeof found === "object" && found !== null ? fitting(start, found as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export function keepDraft(name: string, values: object): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(values));
  } catch {
    // Storage is refused or full: the form lives as long as the page.
  }
}

export const dropDraft = (name: string): void => sessionStorage.removeItem(keyOf(name));

const start = "arcada.draft.";
const ownStart = (): string => `${start}${readCookie(userCookie) ?? "nobody"}.`;
const keyOf = (name: string): string => ownStart() + name;

/** Removes drafts of another user in the same tab. */
function forgetOthers(): void {
  const own = ownStart();
  forgetWhere((key) => !key.startsWith(own));
}
onLeave(() => forgetWhere(() => true));
function forgetWhere(isGone: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(start) && isGone(key)) sessionStorage.removeItem(key);
}

/** Keeps only fields that the form knows, each with its type: a newer version of the form may have other fields. */
const fitting = <V extends object>(known: V, found: Record<string, unknown>): V =>
  Object.fromEntries(
    Object.entries(known).map(([field, value]) => {
      const kept = found[field];
      const fits =
        kept !== undefined &&
        (value == null || (typeof kept === typeof value && Array.isArray(kept) === Array.isArray(value)));
      return [field, fits ? kept : value];
    }),
  ) as V;
