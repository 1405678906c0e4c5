import type { Planted } from "../planted.ts";
import type { World } from "../world.ts";

/** The record that a call's input refers to, and with it who besides the owner may access it. */
export interface Sample {
  /** Calls that name a record of the clinic: `order` is shared with the lab, the rest stays at home. */
  object: "none" | "patient" | "study" | "sharedStudy" | "order" | "draft";
  input(planted: Planted, world: World): Record<string, unknown>;
}
export const unknown = "00000000-0000-7000-8000-000000000000";
export const none = (input: Record<string, unknown> = {}): Sample => ({ object: "none", input: () => input });
