/** A form that asks for words beside a view carries this attribute: no shortcut works while the form stands open. */
export const writingForm = { "data-writing": true } as const;

/** Controls in which every key writes, chooses or ticks. */
const editable = "input, textarea, select, [role=textbox], [role=searchbox], [role=combobox]";

/** Whether a key is typed into a field, also by an input method that is still composing a sign. */
export const isTyping = ({ target, isComposing }: Pick<KeyboardEvent, "target" | "isComposing">): boolean =>
  isComposing || (target instanceof HTMLElement && (target.isContentEditable || target.matches(editable)));

export const isDialogOpen = (): boolean => document.querySelector("[role=dialog][aria-modal=true]") !== null;

/** Whether the page waits for an answer: a dialog covers it, or a comment is being written while the focus is elsewhere. */
export const isAskingPerson = (): boolean => isDialogOpen() || document.querySelector("[data-writing]") !== null;
