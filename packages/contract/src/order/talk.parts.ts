import { z } from "zod";
import { id, instant, text } from "../kernel/fields.ts";
import { talkRules } from "./talk.rules.ts";

/** What is said to the other side: words, files or both. */
export const messageInput = z
  .object({
    id,
    text: text(talkRules.messageMost).default(""),
    files: z.array(id).max(talkRules.filesMost).default([]),
  })
  .refine((said) => said.text !== "" || said.files.length > 0, { path: ["text"], message: "required" });

/** Up to which message somebody has read, and when. */
export const orderReading = z.object({
  who: z.string(),
  mine: z.boolean(),
  /** The reader of this answer. */
  self: z.boolean(),
  upTo: instant,
  at: instant,
});
