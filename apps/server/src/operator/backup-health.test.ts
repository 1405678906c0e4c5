import { describe, expect, it } from "vitest";
import type { BackupHealth } from "@arcada/contract/operator/health.calls";
import { findWarning } from "./backup-health.ts";

const now = new Date("2026-05-10T12:00:00Z");
const hoursAgo = (hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString();
const last = { at: hoursAgo(10), name: "20260510T020000Z", target: "/mnt", files: 1, bytes: 1, fault: null };
const verification = { at: hoursAgo(30), fault: null, name: last.name, ok: true };
const good: Omit<BackupHealth, "warning"> = {
  target: "/mnt",
  running: false,
  last,
  failure: null,
  verification,
  archive: null,
};
const config = { BACKUP_VERIFY_DAYS: 7, BACKUP_WAL_SECONDS: 60 };
const archive = { at: hoursAgo(1), waiting: 3, since: null, fault: null };

describe("the warning about backups", () => {
  it.each<[string, Partial<typeof good>, ReturnType<typeof findWarning>]>([
    ["the last backup is of this night", {}, null],
    ["no backup is configured or known", { target: null, last: null, verification: null }, "notConfigured"],
    ["a backup is configured and none was made", { last: null, verification: null }, "noneYet"],
    ["a backup by a timer of the machine is of this night", { target: null, verification: null }, null],
    ["the last backup was begun 27 hours ago", { last: { ...last, at: hoursAgo(27) } }, "old"],
    ["the last attempt failed", { failure: { at: hoursAgo(9), fault: "full" } }, "failed"],
    ["the last verification found a fault", { verification: { ...verification, ok: false } }, "verificationFailed"],
    ["some stored files were damaged", { last: { ...last, fault: "2 stored files" } }, "filesDamaged"],
    ["a segment has waited for an hour", { archive: { ...archive, since: hoursAgo(1) } }, "archiveBehind"],
    ["a segment has waited for six minutes", { archive: { ...archive, since: hoursAgo(0.1) } }, null],
  ])("when %s is %s", (_, facts, warning) => {
    expect(findWarning({ ...good, ...facts }, { verified: hoursAgo(30), config, now })).toBe(warning);
  });

  it("names a verification that is older than two periods", () => {
    expect(findWarning(good, { verified: hoursAgo(15 * 24), config, now })).toBe("notVerified");
  });
});
