import type { RelationAction } from "@arcada/contract/relation/relation.lifecycle";
import { defineEvent } from "../platform/events/events.ts";

export const relationTransitioned = defineEvent<{
  relationId: string;
  action: RelationAction;
  state: string;
  by: string;
  sides: [string, string];
  /** The institution whose managers are notified; `other` is the institution that the notice is about. */
  recipient: string;
  other: string;
  names: { own: string; other: string };
  reason: string | null;
}>("relationTransitioned");
