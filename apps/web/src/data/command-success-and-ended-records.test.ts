import { afterEach, expect, it, vi } from "vitest";
import { settleEnding, markEnding, namesEndedRecord } from "./command-success-and-ended-records.ts";

afterEach(() => vi.useRealTimers());

it("excludes a record that a command ends from refetches until the page has changed, unless the record remains", () => {
  vi.useFakeTimers();
  const shown = ["patient", "/v1/patient/beside", { keepId: "a1", otherId: "b2" }];
  markEnding(["b2"]);
  expect(namesEndedRecord(shown)).toBe(true);
  expect(namesEndedRecord(["patient", "/v1/patient/detail", { id: "a1" }])).toBe(false);
  settleEnding(["b2"], true);
  expect(namesEndedRecord(shown)).toBe(true);
  vi.advanceTimersByTime(6000);
  // After the time-out it is a record like any other, so an undone merge shows it again.
  expect(namesEndedRecord(shown)).toBe(false);
  markEnding(["b2"]);
  settleEnding(["b2"], false);
  expect(namesEndedRecord(shown)).toBe(false);
});
