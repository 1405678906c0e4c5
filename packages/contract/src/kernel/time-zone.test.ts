import { describe, expect, it } from "vitest";
import {
  localDayIn,
  addDays,
  daysBetween,
  parseLocalTime,
  isTimeZone,
  formatOffset,
  timeZoneName,
  localTimeIn,
  addYears,
  formatWithZone,
  zoneOfCountry,
} from "./time-zone.ts";
import { present } from "@arcada/testing/require-present";

const la = "America/Los_Angeles";
const shanghai = "Asia/Shanghai";

// The results must not depend on the process: every zone that a server may run in is tried.
describe.each(["Asia/Shanghai", "America/Los_Angeles", "UTC"])("in a process of %s", (own) => {
  const before = process.env["TZ"];
  const within = <T>(work: () => T): T => {
    process.env["TZ"] = own;
    try {
      return work();
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  };

  it("the process itself has moved there", () => {
    const offsets = { "Asia/Shanghai": -480, "America/Los_Angeles": 480, UTC: 0 } as Record<string, number>;
    // oxlint-disable-next-line arcada/zoned-dates -- the process's own zone is under test
    expect(within(() => new Date("2026-01-15T00:00:00Z").getTimezoneOffset())).toBe(offsets[own]);
  });

  it("an instant has another day in each zone", () => {
    const instant = "2026-11-23T16:29:00Z";
    expect(within(() => [shanghai, la, "UTC"].map((zone) => localDayIn(zone, instant)))).toEqual([
      "2026-11-24",
      "2026-11-23",
      "2026-11-23",
    ]);
  });

  it("a year begins at each zone's own midnight", () => {
    expect(within(() => localDayIn(shanghai, "2026-12-31T16:00:00Z"))).toBe("2027-01-01");
    expect(within(() => localDayIn(la, "2027-01-01T07:59:59Z"))).toBe("2026-12-31");
    expect(within(() => localDayIn("UTC", "2026-12-31T23:59:59.999Z"))).toBe("2026-12-31");
  });

  it("a day at the change of the clock has 23 or 25 hours", () => {
    const hours = (day: string) =>
      within(
        () =>
          (present(parseLocalTime(la, addDays(day, 1))).getTime() - present(parseLocalTime(la, day)).getTime()) /
          3_600_000,
      );
    expect(["2026-03-07", "2026-03-08", "2026-03-09", "2026-11-01", "2026-11-02"].map(hours)).toEqual([
      24, 23, 24, 25, 24,
    ]);
  });

  it("an hour that does not exist is read by the clock before, and of one that comes twice the first is meant", () => {
    expect(within(() => present(parseLocalTime(la, "2026-03-08T02:30")).toISOString())).toBe(
      "2026-03-08T10:30:00.000Z",
    );
    expect(within(() => present(parseLocalTime(la, "2026-11-01T01:30")).toISOString())).toBe(
      "2026-11-01T08:30:00.000Z",
    );
    expect(within(() => localTimeIn(la, "2026-11-01T09:30:00Z"))).toBe("2026-11-01T01:30:00");
  });
});

it("wall time and instant are each other's inverse throughout a year, at every half hour of the day", () => {
  for (const zone of [la, shanghai, "Asia/Kolkata", "America/St_Johns", "Africa/Casablanca", "Pacific/Kiritimati"])
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 17 * 1_800_000) {
      const wall = localTimeIn(zone, at);
      expect(localTimeIn(zone, present(parseLocalTime(zone, wall)))).toBe(wall);
    }
});

it("a printed time names its zone and its offset from UTC at that time", () => {
  expect(formatWithZone(shanghai, "2026-11-23T16:29:00Z")).toBe("2026-11-24 00:29 (UTC+8, Asia/Shanghai)");
  expect(formatWithZone("UTC", "2026-11-23T16:29:00Z")).toBe("2026-11-23 16:29 UTC");
  expect(formatOffset(la, "2026-07-01T00:00:00Z")).toBe("UTC−7");
  expect(formatOffset("America/St_Johns", "2026-01-01T00:00:00Z")).toBe("UTC−3:30");
});

it("only IANA names are zones", () => {
  for (const name of ["Asia/Shanghai", "Asia/Kolkata", "UTC", "America/Argentina/Ushuaia", "Etc/GMT+8"])
    expect(isTimeZone(name)).toBe(true);
  for (const name of ["", "+08:00", "GMT+8", "Nowhere/At_All", "Asia/Shanghai'--", "a".repeat(61), "UTC\u0000"])
    expect(timeZoneName.safeParse(name).success).toBe(false);
});

it("a country with one clock gives its zone, others theirs by CLDR or UTC", () => {
  expect(["CN", "DE", "TR", "JP", "ES", "US", "ZZ", "", "cn'"].map(zoneOfCountry)).toEqual([
    "Asia/Shanghai",
    "Europe/Berlin",
    "Europe/Istanbul",
    "Asia/Tokyo",
    "Europe/Madrid",
    "UTC",
    "UTC",
    "UTC",
    "UTC",
  ]);
});

it("calendar days are reckoned without any zone", () => {
  expect(addDays("2026-03-07", 2)).toBe("2026-03-09");
  expect(daysBetween("2026-10-31", "2026-11-02")).toBe(2);
  expect(addYears("2024-02-29", 1)).toBe("2025-03-01");
});
