import { afterEach, describe, expect, it } from "vitest";
import { showDay, showMinute, showTime } from "./format.ts";
import { currentZone, browserZone, followZone, instantOf, today, wallClock, zoneChoices } from "./zone.ts";

afterEach(() => void followZone(null));
const instant = "2026-11-23T16:29:08Z";

// In a test run the browser is this process, whatever its time zone.
describe.each(["Asia/Shanghai", "America/Los_Angeles", "UTC"])("a reader who works in %s", (timeZone) => {
  const wall = {
    "Asia/Shanghai": "2026-11-24 00:29",
    "America/Los_Angeles": "2026-11-23 08:29",
    UTC: "2026-11-23 16:29",
  }[timeZone]!;

  it("reads and enters instants by the organisation's clock, not by the browser's", () => {
    followZone({ timeZone });
    expect([showDay(instant), showMinute(instant), showTime(instant)]).toEqual([wall.slice(0, 10), wall, `${wall}:08`]);
    expect(today(new Date(instant))).toBe(wall.slice(0, 10));
    expect(wallClock(instant)).toBe(wall.replace(" ", "T"));
    expect(instantOf(wallClock(instant))).toBe("2026-11-23T16:29:00.000Z");
  });

  it("reads calendar days and a device's wall clock as they are", () => {
    followZone({ timeZone });
    expect(showDay("1990-03-08")).toBe("1990-03-08");
    expect(showTime("2026-03-08T02:30:00")).toBe("2026-03-08 02:30:00");
    expect(showDay("2026-03-08 02:30:00")).toBe("2026-03-08");
  });
});

it("without an organisation the browser's zone counts", () => {
  expect(currentZone()).toBe(browserZone());
});

it("offers every zone with its offset, the chosen one among them", () => {
  const labels = zoneChoices("Asia/Kolkata").map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(["Asia/Shanghai (UTC+8)", "Asia/Kolkata (UTC+5:30)", "UTC"]));
});
