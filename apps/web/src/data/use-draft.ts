import { useEffect, useState } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { deleteDraft, saveDraft, readDraft } from "../browser/drafts.ts";

/** Returns the values that a form held before a reload. Without a name nothing is kept. */
export function useDraft<V extends FieldValues>(name: string | undefined, initial: V) {
  const [found, setFound] = useState(() => (name ? readDraft<V>(name, initial) : null));
  const drop = () => {
    if (name) deleteDraft(name);
    setFound(null);
  };
  return { found, drop };
}

export function useDraftAutosave<V extends FieldValues>(
  { subscribe }: UseFormReturn<V>,
  name: string | undefined,
): void {
  useEffect(() => {
    if (!name) return;
    return subscribe({
      formState: { values: true },
      // Without a field's name the form was filled by the page, not by the user.
      callback: ({ name: field, values }) => {
        if (field !== undefined) saveDraft(name, values);
      },
    });
  }, [subscribe, name]);
}
