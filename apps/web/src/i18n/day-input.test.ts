import { expect, it } from "vitest";
import { insertSeparators, formatDayInput, parseDayInput } from "./day-input.ts";

it("reads a day with the year first, with any separator", () => {
  for (const text of ["2026-11-24", "2026/11/24", "2026.11.24", "20261124", "2026年11月24日", " 2026-11-24 "])
    expect(parseDayInput(text, "YYYY-MM-DD"), text).toBe("2026-11-24");
  expect(parseDayInput("2026-1-2", "DD.MM.YYYY")).toBe("2026-01-02");
});

it("reads the day before the month only if the language writes it so", () => {
  expect(parseDayInput("03.02.2026", "DD.MM.YYYY")).toBe("2026-02-03");
  expect(parseDayInput("3/2/2026", "DD/MM/YYYY")).toBe("2026-02-03");
  expect(parseDayInput("03022026", "DD.MM.YYYY")).toBe("2026-02-03");
  expect(parseDayInput("03/02/2026", "YYYY-MM-DD")).toBeNull();
});

it("rejects a day that does not exist in the calendar", () => {
  for (const text of ["2026-02-29", "2026-13-01", "2026-11-31", "2026-11", "0", "", "tomorrow", "2026-11-24 10:00"])
    expect(parseDayInput(text, "YYYY-MM-DD"), text).toBeNull();
  expect(parseDayInput("2028-02-29", "YYYY-MM-DD")).toBe("2028-02-29");
});

it("reads a day with a time in 24-hour format", () => {
  for (const text of ["2026-11-24 09:05", "2026-11-24T09:05", "2026-11-24 9:05", "202611240905", "2026/11/24 0905"])
    expect(parseDayInput(text, "YYYY-MM-DD", true), text).toBe("2026-11-24T09:05");
  expect(parseDayInput("24.11.2026 23:59", "DD.MM.YYYY", true)).toBe("2026-11-24T23:59");
  for (const text of ["2026-11-24", "2026-11-24 24:00", "2026-11-24 9:5", "2026-11-24 10:60"])
    expect(parseDayInput(text, "YYYY-MM-DD", true), text).toBeNull();
});

it("rejects a text that is longer than any day, without searching it", () => {
  for (const text of ["1 ".repeat(50_000), `2026-11-24${" ".repeat(100_000)}`, "\u00002026-11-24"])
    for (const withTime of [false, true]) expect(parseDayInput(text, "YYYY-MM-DD", withTime)).toBeNull();
});

it("formats a day as the language writes it, and reads that format back", () => {
  for (const pattern of ["YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY"] as const) {
    expect(parseDayInput(formatDayInput("2026-02-03", pattern), pattern)).toBe("2026-02-03");
    expect(parseDayInput(formatDayInput("2026-02-03T04:05", pattern), pattern, true)).toBe("2026-02-03T04:05");
  }
  expect(formatDayInput("2026-02-03", "DD/MM/YYYY")).toBe("03/02/2026");
});

it("inserts separators while digits are typed, and keeps separators that the user typed", () => {
  const typed = (text: string, longest: 8 | 12 = 8) => {
    let shown = "";
    for (const sign of text) shown = insertSeparators(shown + sign, "YYYY-MM-DD", longest);
    return shown;
  };
  expect(typed("19900102")).toBe("1990-01-02");
  expect(typed("1990-01-02")).toBe("1990-01-02");
  expect(typed("1990-1-2")).toBe("1990-1-2");
  expect(typed("1990/1/2")).toBe("1990/1/2");
  expect(typed("202611240905", 12)).toBe("2026-11-24 09:05");
  expect(insertSeparators("24112026", "DD.MM.YYYY", 8)).toBe("24.11.2026");
  // Deleting continues past a separator.
  expect(insertSeparators("1990-", "YYYY-MM-DD", 8)).toBe("1990-");
  expect(insertSeparators("1990", "YYYY-MM-DD", 8)).toBe("1990");
});
