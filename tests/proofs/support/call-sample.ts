import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import type { TestSetup } from "@arcada/testing/setup/test-server";

/** The record that a call's input refers to, and with it who besides the owner may access it. */
export interface CallSample {
  /** Calls that name a record of the clinic: `order` is shared with the lab, the rest stays at home. */
  object: "none" | "patient" | "study" | "sharedStudy" | "order" | "draft";
  input(fixtures: Fixtures, setup: TestSetup): Record<string, unknown>;
}
export const unknownId = "00000000-0000-7000-8000-000000000000";
export const withoutRecord = (input: Record<string, unknown> = {}): CallSample => ({
  object: "none",
  input: () => input,
});
