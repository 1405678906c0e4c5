import { afterEach, expect, it, vi } from "vitest";
import { ended, ends, isOfEnded } from "./changes.ts";

afterEach(() => vi.useRealTimers());

it("a record that a command ends is asked for no more until the page has gone on, and one that stays is", () => {
  vi.useFakeTimers();
  const shown = ["patient", "/v1/patient/beside", { keepId: "a1", otherId: "b2" }];
  ends(["b2"]);
  expect(isOfEnded(shown)).toBe(true);
  expect(isOfEnded(["patient", "/v1/patient/detail", { id: "a1" }])).toBe(false);
  ended(["b2"], true);
  expect(isOfEnded(shown)).toBe(true);
  vi.advanceTimersByTime(6000);
  // After the time-out it is a record like any other, so an undone merge shows it again.
  expect(isOfEnded(shown)).toBe(false);
  ends(["b2"]);
  ended(["b2"], false);
  expect(isOfEnded(shown)).toBe(false);
});
