import { expect, it } from "vitest";
import { nameOf } from "./shortcuts.ts";

const pressed = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey", true>> = {}) =>
  nameOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

it("names keys alike on every keyboard", () => {
  expect(pressed("w")).toBe("W");
  expect(pressed("R", { shiftKey: true })).toBe("Shift+R");
  expect(pressed("z", { metaKey: true })).toBe("Ctrl+Z");
  expect(pressed("Z", { ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+Z");
  expect(pressed("+", { shiftKey: true })).toBe("+");
  expect(pressed("ArrowUp", { shiftKey: true })).toBe("Shift+ArrowUp");
});
