import { describe, expect, it } from "vitest";
import { isBackupDue } from "./nightly-backups.ts";

const at = (text: string): Date => new Date(`2026-05-${text}:00Z`);

describe("a nightly backup at two o'clock", () => {
  it.each([
    ["10T03:00", null, true],
    ["10T03:00", "09T02:04", true],
    ["10T03:00", "10T02:04", false],
    ["10T01:59", "09T02:04", false],
    ["10T01:59", "08T23:00", true],
    ["11T02:00", "10T14:00", true],
  ])("at %s after one of %s is due: %s", (now, newest, due) => {
    expect(isBackupDue(at(now), newest === null ? null : at(newest), 2)).toBe(due);
  });
});
