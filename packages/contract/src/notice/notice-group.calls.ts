import { z } from "zod";
import { call } from "../kernel/call.ts";
import { noticeListCalls } from "./notice-list.calls.ts";
import { chosenPresets, noticeMailModes, noticePresets } from "./notice-presets.ts";

const noticePreferences = z.object({
  preset: z.enum(chosenPresets),
  mail: z.enum(noticeMailModes),
  /** The reader has chosen; otherwise this is the standard. */
  isChosen: z.boolean(),
});
export type NoticePreferences = z.output<typeof noticePreferences>;

export const noticeGroupCalls = {
  ...noticeListCalls,
  preferences: call({
    method: "GET",
    path: "/v1/notice/preferences",
    access: "signedIn",
    summary: "The asker's preset of notices, and when emails about them are sent.",
    input: z.object({}).nullish(),
    output: noticePreferences,
  }),
  preset: call({
    method: "POST",
    path: "/v1/notice/preset",
    access: "signedIn",
    summary: "Chooses one of a few presets of all kinds of notices.",
    input: z.object({ preset: z.enum(noticePresets) }),
    output: noticePreferences,
  }),
  mail: call({
    method: "POST",
    path: "/v1/notice/mail",
    access: "signedIn",
    summary: "Chooses when emails about notices are sent: at once, once a day in one email, or never.",
    input: z.object({ mail: z.enum(noticeMailModes) }),
    output: noticePreferences,
  }),
} as const;
