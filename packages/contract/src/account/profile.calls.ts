import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, limited, emptyObject, text } from "../kernel/fields.ts";
import { languages } from "../kernel/languages.ts";
import { accountRules } from "./account.rules.ts";
import { userInfo } from "./user-info.schema.ts";

/** A user's own data. */
export const profileCalls = {
  getUserInfo: call({
    method: "GET",
    path: "/v1/user/getUserInfo",
    access: "signedIn",
    summary: "The user of this session with the current organisation and role.",
    allowedWhileLocked: true,
    input: emptyObject,
    output: userInfo,
  }),
  setSelfInfo: call({
    method: "POST",
    path: "/v1/user/setSelfInfo",
    access: "signedIn",
    summary: "Changes what a user says about themselves.",
    // Not a command: repeating it changes nothing, and an image need not be fingerprinted.
    maxBodyBytes: accountRules.avatarBody,
    input: z.object({
      nickName: text(60).optional(),
      userName: text(60).optional(),
      gender: z.enum(["male", "female"]).nullable().optional(),
      birthday: day.nullable().optional(),
      address: text(200).nullable().optional(),
      workPhone: text(accountRules.workPhone)
        .regex(/^\+?[\d ()/-]{3,}$/, "invalid")
        .nullable()
        .optional(),
      language: z.enum(languages).optional(),
      /** An image (jpg, png or ico) as base64; null removes it. */
      headerImg: limited(accountRules.avatarBody).nullable().optional(),
    }),
    output: userInfo,
  }),
} as const;
