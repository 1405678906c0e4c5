import { afterEach, expect, it, vi } from "vitest";
import { isReservedKey, formatShortcut } from "./shortcuts.ts";

const formatPressed = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey", true>> = {}) =>
  formatShortcut({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

it("names keys alike on every keyboard", () => {
  expect(formatPressed("w")).toBe("W");
  expect(formatPressed("R", { shiftKey: true })).toBe("Shift+R");
  expect(formatPressed("z", { metaKey: true })).toBe("Ctrl+Z");
  expect(formatPressed("Z", { ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+Z");
  expect(formatPressed("+", { shiftKey: true })).toBe("+");
  expect(formatPressed("ArrowUp", { shiftKey: true })).toBe("Shift+ArrowUp");
});

/** An element that matches the simple selectors given: a tag, or an attribute with its value. */
class FakeElement {
  private readonly is: readonly string[];
  readonly isContentEditable: boolean;
  constructor(is: readonly string[], isContentEditable = false) {
    this.is = is;
    this.isContentEditable = isContentEditable;
  }
  matches(selectors: string): boolean {
    return selectors.split(", ").some((one) => this.is.includes(one));
  }
  closest(selectors: string): FakeElement | null {
    return this.matches(selectors) ? this : null;
  }
}
/** True if a key on the element is withheld from the viewer, on a page with or without an open dialog. */
function isReserved(target: FakeElement, key: string, { open = "", isComposing = false } = {}): boolean {
  vi.stubGlobal("HTMLElement", FakeElement);
  const querySelector = (selectors: string) => (selectors === open ? {} : null);
  vi.stubGlobal("document", { querySelector });
  return isReservedKey({ target, key, isComposing } as unknown as KeyboardEvent);
}
afterEach(() => void vi.unstubAllGlobals());

const page = new FakeElement(["body"]);

it("leaves typed keys to the field", () => {
  for (const field of ["input", "textarea", "select", "[role=textbox]", "[role=combobox]"])
    expect(isReserved(new FakeElement([field]), "a"), field).toBe(true);
  expect(isReserved(new FakeElement(["div"], true), "a")).toBe(true);
  expect(isReserved(page, "a", { isComposing: true })).toBe(true);
  expect(isReserved(page, "a")).toBe(false);
});

it("ignores keys while a dialog or a comment form is open, wherever the focus is", () => {
  expect(isReserved(page, "a", { open: "[role=dialog][aria-modal=true]" })).toBe(true);
  expect(isReserved(page, "a", { open: "[data-writing]" })).toBe(true);
});

it("leaves every key to a popover, a menu or a list of choices that holds the focus", () => {
  for (const layer of ["[role=dialog]", "[role=menu]", "[role=listbox]"])
    expect(isReserved(new FakeElement([layer]), "a"), layer).toBe(true);
});

it("leaves arrow keys to a slider and handles its letter keys", () => {
  const slider = new FakeElement(["input", "[type=range]"]);
  expect(isReserved(slider, "ArrowLeft")).toBe(true);
  expect(isReserved(slider, "w")).toBe(false);
});
