import { requireChannel } from "../platform/mail/message-limits.ts";
import type { MessageChannel } from "../platform/mail/message-types.ts";
import type { ContactTarget } from "./account.store.ts";

export const channelOf = ({ kind }: Pick<ContactTarget, "kind">): MessageChannel =>
  kind === "email" ? "email" : "sms";

/** Returns a target to which this installation can send codes; refuses a phone number without text messages. */
export function requireReachable(target: ContactTarget): ContactTarget {
  requireChannel(channelOf(target));
  return target;
}
