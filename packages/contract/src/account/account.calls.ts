import { z } from "zod";
import { call } from "../kernel/call.ts";
import { languages } from "../kernel/languages.ts";
import { day, id, instant, limited, emptyObject, nullOutput, text, int32 } from "../kernel/fields.ts";
import { account, code, countryCode, password } from "./account.schema.ts";
import { accountRules } from "./account.rules.ts";

const passwordConfirmation = limited(accountRules.passwordMax);
/** The solved proof-of-work challenge, base64 as the solver returns it. */
const challengeSolution = limited(4000).optional();
const tokenOutput = z.object({ token: z.string() });
export const exchangeCode = z.object({ code: z.string(), expiresIn: z.int() });
const passwordsMatch = <T extends { password: string; confirm: string }>(value: T) => value.password === value.confirm;
const isRecord = ({ value }: { value: unknown }): boolean => typeof value === "object" && value !== null;
// Reported together with all other errors, not only after those are fixed.
const passwordMismatch = { path: ["confirm"], message: "passwordsDiffer", when: isRecord };

export const codePurposes = ["login", "register", "reset", "bind", "original"] as const;
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

export const accountCalls = {
  fetchCountries: call({
    method: "POST",
    path: "/v1/base/fetchCountries",
    access: "anyone",
    summary: "The countries with their names and telephone codes.",
    input: emptyObject,
    output: z.array(z.object({ name: z.string(), native: z.string(), code: z.string(), phoneCode: z.string() })),
  }),
  humanChallenge: call({
    method: "POST",
    path: "/v1/base/aliverify",
    access: "anyone",
    summary:
      "A proof-of-work challenge; its solution travels as `human`. `work` is how hard, where the refusal humanNeeded named it.",
    input: z.object({ work: z.int().min(0).max(3).default(0) }),
    output: z.record(z.string(), z.unknown()),
  }),
  sendCode: call({
    method: "POST",
    path: "/v1/base/sendCaptchaCode",
    access: "anyone",
    summary: "Sends a six-digit code to a phone or an e-mail address.",
    input: z.object({ account, countryCode, purpose: z.enum(codePurposes), human: challengeSolution }),
    output: z.object({ resendAfter: z.int() }),
  }),
  login: call({
    method: "POST",
    path: "/v1/base/login",
    access: "anyone",
    isSignIn: true,
    summary: "Signs in with a password; from an unknown device a code may be asked for as well.",
    input: z.object({
      account,
      countryCode,
      password: limited(accountRules.passwordMax).min(1, "passwordEmpty"),
      remember: z.boolean().default(false),
      human: challengeSolution,
      code: code.optional(),
    }),
    output: tokenOutput,
  }),
  loginByCode: call({
    method: "POST",
    path: "/v1/base/verLogin",
    access: "anyone",
    isSignIn: true,
    summary: "Signs in with a code that was sent.",
    input: z.object({ account, countryCode, code, remember: z.boolean().default(false), human: challengeSolution }),
    output: tokenOutput,
  }),
  registerVerify: call({
    method: "POST",
    path: "/v1/base/registerVerify",
    access: "anyone",
    summary: "Checks the code of a registration and answers with the ticket that registering needs.",
    input: z.object({ account, countryCode, code }),
    output: z.object({ ticket: z.string(), registered: z.boolean() }),
  }),
  register: call({
    method: "POST",
    path: "/v1/base/register",
    access: "anyone",
    summary: "Makes an account.",
    input: z
      .object({
        ticket: limited(200),
        password,
        confirm: passwordConfirmation,
        intendedRole: z.enum(intendedRoles),
        agree: z.literal(true, "agreeNeeded"),
        agreeSms: z.literal(true, "agreeNeeded"),
        nickName: text(60).optional(),
      })
      .refine(passwordsMatch, passwordMismatch),
    output: tokenOutput,
  }),
  resetPassword: call({
    method: "POST",
    path: "/v1/base/changePassword",
    access: "anyone",
    summary: "Sets a new password with a code; every session of the account ends.",
    input: z
      .object({ account, countryCode, code, password, confirm: passwordConfirmation, human: challengeSolution })
      .refine(passwordsMatch, passwordMismatch),
    output: nullOutput,
  }),
  welcome: call({
    method: "GET",
    path: "/v1/base/welcome",
    access: "anyone",
    summary:
      "What the login page shows: titles, company block, hotline, service hours, and the demo accounts in demo mode.",
    input: emptyObject,
    output: z.object({
      company: z.object({ name: z.string(), site: z.string().nullable(), address: z.string().nullable() }),
      hotline: z.string().nullable(),
      serviceHours: z.object({ from: z.string(), to: z.string() }),
      copyright: z.string(),
      announcement: z.string().nullable(),
      /** Shown in Chinese only. */
      recruitment: z.object({ text: z.string(), url: z.string().nullable() }).nullable(),
      demo: z
        .object({
          password: z.string(),
          accounts: z.array(z.object({ account: z.string(), name: z.string(), role: z.string() })),
        })
        .nullable(),
      outbox: z.boolean(),
      passwordMin: z.int(),
      /** Minutes without a touch after which the screen is locked; 0: never. */
      idleMinutes: z.number(),
      /** Identity providers by which a user can sign in. */
      providers: z.array(z.object({ id: z.string(), label: z.string() })),
    }),
  }),
  logout: call({
    method: "POST",
    path: "/v1/base/logout",
    access: "signedIn",
    summary: "Ends this session.",
    allowedWhileLocked: true,
    input: emptyObject,
    output: nullOutput,
  }),
  touchSession: call({
    method: "POST",
    path: "/v1/user/touchSession",
    access: "signedIn",
    summary:
      "Tells that somebody sits before the screen: only this, and no other call, keeps a browser's session from locking.",
    input: emptyObject,
    output: nullOutput,
  }),
  lockSession: call({
    method: "POST",
    path: "/v1/user/lockSession",
    access: "signedIn",
    summary: "Locks this browser's session until its owner signs in again.",
    allowedWhileLocked: true,
    input: emptyObject,
    output: nullOutput,
  }),
  exchange: call({
    method: "POST",
    path: "/v1/base/exchange",
    access: "anyone",
    isSignIn: true,
    summary: "Trades a single-use exchange code for a session.",
    input: z.object({ code: limited(200) }),
    output: tokenOutput,
  }),
  exchangeCode: call({
    method: "POST",
    path: "/v1/base/exchangeCode",
    access: "signedIn",
    summary: `Makes a single-use code, good for ${accountRules.exchangeSeconds} seconds, that opens this product as \`?token=\` for the person who asks.`,
    input: emptyObject,
    output: exchangeCode,
  }),
  changeRole: call({
    method: "POST",
    path: "/v1/base/changeUserRole",
    access: "signedIn",
    summary: "Continues in another authority that the user holds.",
    input: z.object({ authorityId: int32, uuid: id }),
    output: tokenOutput,
  }),
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
  changePassword: call({
    method: "POST",
    path: "/v1/user/changePassword",
    access: "signedIn",
    summary: "Changes the password; all other sessions end.",
    input: z
      .object({ oldPassword: limited(accountRules.passwordMax), password, confirm: passwordConfirmation })
      .refine(passwordsMatch, passwordMismatch),
    output: nullOutput,
  }),
  sessions: call({
    method: "GET",
    path: "/v1/user/sessions",
    access: "signedIn",
    summary: "Where this user is signed in.",
    input: emptyObject,
    output: z.array(
      z.object({
        id,
        kind: z.enum(["browser", "api"]),
        agent: z.string(),
        since: instant,
        seen: instant,
        current: z.boolean(),
      }),
    ),
  }),
  endSession: call({
    method: "POST",
    path: "/v1/user/endSession",
    access: "signedIn",
    summary: "Signs one of the user's sessions out.",
    input: z.object({ id }),
    output: nullOutput,
  }),
} as const;
