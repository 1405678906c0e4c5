import { z } from "zod";
import { caseRoles } from "@arcada/contract/kernel/roles";

/** An address of this machine, where https is not needed. */
export const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;
const providerGroup = z.strictObject({
  group: z.string().min(1).max(300),
  /** The number of the organisation. */
  organisation: z.string().regex(/^\d{1,20}$/, "must be the organisation's number"),
  role: z.enum(caseRoles),
});
const provider = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, "must be small letters, figures and hyphens"),
  label: z.string().trim().min(1).max(60),
  issuer: z.url().refine((issuer) => issuer.startsWith("https:") || loopback.test(issuer), "must be https"),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  /** The claim that lists the groups of a person, and what these groups give; never a role of the platform. */
  groupsClaim: z.string().min(1).max(200).optional(),
  groups: z.array(providerGroup).max(200).default([]),
  /** More scopes to ask for, such as "groups". */
  scope: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, "must be words with single spaces")
    .max(200)
    .optional(),
});
export type Provider = z.output<typeof provider>;
/** A list as JSON, so that several providers need no numbered names. */
export const providers = z
  .string()
  .default("[]")
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "is not JSON" });
      return z.NEVER;
    }
  })
  .pipe(z.array(provider).max(20))
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "names one id twice")
  .refine(
    (list) => list.every(({ groups, groupsClaim }) => groups.length === 0 || groupsClaim !== undefined),
    "has groups without groupsClaim",
  );
