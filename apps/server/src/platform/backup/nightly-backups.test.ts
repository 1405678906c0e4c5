import { describe, expect, it } from "vitest";
import { isBackupDue, isVerificationDue } from "./nightly-backups.ts";

const at = (text: string): string => `2026-05-${text}:00.000Z`;
const runAt = (text: string | null) => (text === null ? null : { started_at: at(text), finished_at: at(text) });

describe("a nightly backup at two o'clock", () => {
  it.each([
    ["10T03:00", null, true],
    ["10T03:00", "09T02:04", true],
    ["10T03:00", "10T02:04", false],
    ["10T01:59", "09T02:04", false],
    ["10T01:59", "08T23:00", true],
    ["11T02:00", "10T14:00", true],
  ])("at %s after one of %s is due: %s", (now, newest, due) => {
    expect(isBackupDue(new Date(at(now)), { backup: runAt(newest), failure: null }, 2)).toBe(due);
  });

  it.each([
    ["10T02:30", false],
    ["10T03:06", true],
  ])("that failed at 02:05 is tried again at %s: %s", (now, due) => {
    expect(isBackupDue(new Date(at(now)), { backup: runAt("09T02:00"), failure: runAt("10T02:05") }, 2)).toBe(due);
  });
});

describe("a verification every seven days", () => {
  it.each([
    [null, true],
    ["03T02:20", true],
    ["04T02:20", false],
  ])("after one of %s is due on the tenth: %s", (verified, due) => {
    const now = new Date(at("10T02:10"));
    expect(isVerificationDue({ now, runs: { verified: runAt(verified) } }, 7)).toBe(due);
  });

  it("is never due if it is switched off", () => {
    expect(isVerificationDue({ now: new Date(at("10T02:10")), runs: { verified: null } }, 0)).toBe(false);
  });
});
