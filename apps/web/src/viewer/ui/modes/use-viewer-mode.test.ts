import { expect, it } from "vitest";
import { findMode } from "./use-viewer-mode.ts";

const byMode = { read: ["pan", "window"], measure: ["length", "pan"], implant: ["implant", "length"] } as const;

it("stays in a mode that has the tool, although another one has it first", () => {
  expect(findMode<string>(byMode, "length", "implant")).toBe("implant");
  expect(findMode<string>(byMode, "pan", "measure")).toBe("measure");
});

it("changes to the first mode that has a tool which the current one lacks", () => {
  expect(findMode<string>(byMode, "length", "read")).toBe("measure");
  expect(findMode<string>(byMode, "window", "implant")).toBe("read");
});

it("keeps the mode for a tool that belongs to none", () => {
  expect(findMode<string>(byMode, "align", "measure")).toBe("measure");
});
