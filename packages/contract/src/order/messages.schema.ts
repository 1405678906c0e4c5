import { z } from "zod";
import { id, instant, text } from "../kernel/fields.ts";
import { messageRules } from "./messages.rules.ts";

/** A message to the other side: text, files or both. */
export const messageInput = z
  .object({
    id,
    text: text(messageRules.maxMessageLength).default(""),
    files: z.array(id).max(messageRules.maxFiles).default([]),
    /** The people whom the text calls by name. They must be able to see the order, and get a notice. */
    mentions: z.array(id).max(messageRules.maxMentions).default([]),
  })
  .refine((message) => message.text !== "" || message.files.length > 0, { path: ["text"], message: "required" });

/** The last message that a person has read, and the time. */
export const orderReading = z.object({
  who: z.string(),
  mine: z.boolean(),
  /** The reader of this answer. */
  self: z.boolean(),
  upTo: instant,
  at: instant,
});
