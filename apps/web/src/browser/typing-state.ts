/** The attribute of a text form beside a view. While the form is open, shortcuts are disabled. */
export const writingFormProps = { "data-writing": true } as const;

/** Controls in which every key types, selects or toggles. */
const editableSelector = "input, textarea, select, [role=textbox], [role=searchbox], [role=combobox]";

/** True if a key is typed into a field, also while an input method is still composing a character. */
export const isTyping = ({ target, isComposing }: Pick<KeyboardEvent, "target" | "isComposing">): boolean =>
  isComposing || (target instanceof HTMLElement && (target.isContentEditable || target.matches(editableSelector)));

export const isDialogOpen = (): boolean => document.querySelector("[role=dialog][aria-modal=true]") !== null;

/**
 * True if the page waits for the user's input: a dialog covers it, or a comment is being written while the focus is
 * elsewhere.
 */
export const isAwaitingInput = (): boolean => isDialogOpen() || document.querySelector("[data-writing]") !== null;
