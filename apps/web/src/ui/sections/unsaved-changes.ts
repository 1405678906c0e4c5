import { createContext, use, useEffect, useId, useLayoutEffect, useRef } from "react";

/** A form of a page of settings. `save` sends it and shows its own refusal; the form stays changed then. */
export interface SettingsForm {
  isDirty: boolean;
  save: () => Promise<unknown>;
  discard: () => void;
}

export type ChangedForm = Pick<SettingsForm, "save" | "discard">;
export type RegisterForm = (id: string, form: ChangedForm | null) => void;
export const UnsavedChangesContext = createContext<RegisterForm | null>(null);

/** Registers a form with the save bar of its `SettingsPage`, as long as it differs from what is saved. */
export function useSettingsForm(form: SettingsForm): void {
  const register = use(UnsavedChangesContext);
  if (!register) throw new Error("A form of settings needs a SettingsPage around it.");
  const id = useId();
  const latest = useRef<ChangedForm>(form);
  useLayoutEffect(() => void (latest.current = form));
  const { isDirty } = form;
  useEffect(() => {
    if (!isDirty) return;
    register(id, { save: () => latest.current.save(), discard: () => latest.current.discard() });
    return () => register(id, null);
  }, [register, id, isDirty]);
}
