import { afterEach, describe, expect, it } from "vitest";
import { formatDay, formatDateTime, formatTimestamp } from "./format.ts";
import {
  getCurrentZone,
  getBrowserZone,
  setInstitutionZone,
  parseWallTime,
  getToday,
  toWallTime,
  listZoneOptions,
} from "./time-zone.ts";
import { present } from "@arcada/testing/require-present";

afterEach(() => void setInstitutionZone(null));
const instant = "2026-11-23T16:29:08Z";

// In a test run, this process takes the place of the browser, whatever its time zone is.
describe.each(["Asia/Shanghai", "America/Los_Angeles", "UTC"])("a reader who works in %s", (timeZone) => {
  const wall = present(
    {
      "Asia/Shanghai": "2026-11-24 00:29",
      "America/Los_Angeles": "2026-11-23 08:29",
      UTC: "2026-11-23 16:29",
    }[timeZone],
  );

  it("reads and enters instants in the institution's time zone, not the browser's", () => {
    setInstitutionZone({ timeZone });
    expect([formatDay(instant), formatDateTime(instant), formatTimestamp(instant)]).toEqual([
      wall.slice(0, 10),
      wall,
      `${wall}:08`,
    ]);
    expect(getToday(new Date(instant))).toBe(wall.slice(0, 10));
    expect(toWallTime(instant)).toBe(wall.replace(" ", "T"));
    expect(parseWallTime(toWallTime(instant))).toBe("2026-11-23T16:29:00.000Z");
  });

  it("reads calendar days and a device's local time unchanged", () => {
    setInstitutionZone({ timeZone });
    expect(formatDay("1990-03-08")).toBe("1990-03-08");
    expect(formatTimestamp("2026-03-08T02:30:00")).toBe("2026-03-08 02:30:00");
    expect(formatDay("2026-03-08 02:30:00")).toBe("2026-03-08");
  });
});

it("uses the browser's time zone without an institution", () => {
  expect(getCurrentZone()).toBe(getBrowserZone());
});

it("offers every zone with its offset, the chosen one among them", () => {
  const labels = listZoneOptions("Asia/Kolkata").map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(["Asia/Shanghai (UTC+8)", "Asia/Kolkata (UTC+5:30)", "UTC"]));
});
