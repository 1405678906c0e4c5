import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited, required } from "../kernel/fields.ts";
import { password } from "./account.schema.ts";
import { accountRules, isEmail } from "./account.rules.ts";

/**
 * The purposes of a set-up link: the first operator of an installation; the account of another operator, whose address
 * the link names; a new password of an account.
 */
export const setupPurposes = ["first", "operator", "password"] as const;
export type SetupPurpose = (typeof setupPurposes)[number];

/** Seconds for which a set-up link is valid, and the length of a password that it sets for an operator. */
export const setupRules = { linkSeconds: 1800, operatorPasswordMin: accountRules.passwordStrong } as const;

const link = limited(100);

export const setupCalls = {
  openSetup: call({
    method: "POST",
    path: "/v1/base/openSetup",
    access: "anyone",
    summary: "What a set-up link is for, and the account that it names.",
    input: z.object({ link }),
    output: z.object({ purpose: z.enum(setupPurposes), account: z.string().nullable(), passwordMin: z.int() }),
  }),
  finishSetup: call({
    method: "POST",
    path: "/v1/base/finishSetup",
    access: "anyone",
    summary: "Redeems a set-up link: makes the operator's account and signs in, or sets a new password.",
    input: z
      .object({
        link,
        /** Only the first operator chooses the address. */
        email: limited(120, "emailShape").trim().refine(isEmail, "emailShape").optional(),
        name: required(60).optional(),
        password,
        confirm: limited(accountRules.passwordMax),
      })
      .refine((value) => value.password === value.confirm, {
        path: ["confirm"],
        message: "passwordsDiffer",
        when: ({ value }) => typeof value === "object" && value !== null,
      }),
    /** Null: the password was set, and its owner signs in with it. */
    output: z.object({ token: z.string().nullable() }),
  }),
} as const;
