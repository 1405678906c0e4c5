import { readCookie } from "./cookies.ts";
import { onSignOut, userCookie } from "./session-lifecycle.ts";

/**
 * Form input that was typed and not sent yet, kept in this tab so that a reload or an ended session does not lose it.
 * It belongs to the user who typed it and is removed at sign-out. Never use it for passwords and codes.
 */
export function readDraft<V extends object>(name: string, initial: V): V | null {
  removeDraftsOfOthers();
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "null");
    return typeof found === "object" && found !== null
      ? mergeKnownFields(initial, found as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export function saveDraft(name: string, values: object): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(values));
  } catch {
    // Storage is refused or full: the form lives as long as the page.
  }
}

export const deleteDraft = (name: string): void => sessionStorage.removeItem(keyOf(name));

const keyPrefix = "arcada.draft.";
const getUserPrefix = (): string => `${keyPrefix}${readCookie(userCookie) ?? "nobody"}.`;
const keyOf = (name: string): string => getUserPrefix() + name;

/** Removes drafts of another user in the same tab. */
function removeDraftsOfOthers(): void {
  const own = getUserPrefix();
  removeDraftsWhere((key) => !key.startsWith(own));
}
onSignOut(() => removeDraftsWhere(() => true));
function removeDraftsWhere(isObsolete: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keyPrefix) && isObsolete(key)) sessionStorage.removeItem(key);
}

/** Keeps only fields that the form knows, each with its type: a newer version of the form may have other fields. */
const mergeKnownFields = <V extends object>(known: V, found: Record<string, unknown>): V =>
  Object.fromEntries(
    Object.entries(known).map(([field, value]) => {
      const stored = found[field];
      const fits =
        stored !== undefined &&
        (value == null || (typeof stored === typeof value && Array.isArray(stored) === Array.isArray(value)));
      return [field, fits ? stored : value];
    }),
  ) as V;
