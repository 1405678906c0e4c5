import { z } from "zod";
import { day, id } from "../kernel/fields.ts";

export const intendedRoles = ["clinicManager", "dentist", "labManager", "designer"] as const;

export const authority = z.object({
  authorityId: z.int(),
  /** The role in the language of `accept-language`. */
  authorityName: z.string(),
  role: z.string(),
  iid: z.string(),
  institutionName: z.string().nullable(),
});
export const userInfo = z.object({
  id,
  uuid: id,
  userName: z.string(),
  nickName: z.string(),
  headerImg: z.string().nullable(),
  phone: z.string().nullable(),
  countryCode: z.string().nullable(),
  email: z.string().nullable(),
  gender: z.enum(["male", "female"]).nullable(),
  birthday: day.nullable(),
  country: z.string().nullable(),
  address: z.string().nullable(),
  /** Shown to partner institutions in orders, in place of the phone of the account. */
  workPhone: z.string().nullable(),
  language: z.string(),
  intendedRole: z.enum(intendedRoles).nullable(),
  iid: z.string(),
  institution: z
    .object({
      id: z.string(),
      name: z.string(),
      number: z.string(),
      type: z.enum(["clinic", "lab"]),
      /** IANA name: the days and times that the user reads are this zone's. */
      timeZone: z.string(),
    })
    .nullable(),
  initStatus: z.int(),
  /**
   * Agreement to the terms and the privacy policy. A user who signed in through an identity provider did not see them
   * when the account was created.
   */
  legalAgreed: z.boolean(),
  authorityId: z.int(),
  authorities: z.array(authority),
  roles: z.array(z.string()),
  /** Programs of the current institution may open this product as this user. */
  launchAllowed: z.boolean(),
  /**
   * The institution requires two steps at sign-in and this user has one: nothing else is available there before the
   * second is set up.
   */
  factorRequired: z.boolean(),
});
export type UserInfo = z.output<typeof userInfo>;
