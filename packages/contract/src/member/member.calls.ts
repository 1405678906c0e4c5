import { z } from "zod";
import { institutionTypes } from "../institution/institution-types.ts";
import { call } from "../kernel/call.ts";
import {
  email,
  id,
  instant,
  limited,
  pageOf,
  pagingParameters,
  required,
  text,
  version,
  int32,
} from "../kernel/fields.ts";
import { caseRoles, managerRoles } from "../kernel/roles.ts";
import { memberLifecycle, memberRules, memberStates } from "./member.lifecycle.ts";
import type { MemberAction } from "./member.lifecycle.ts";

const actions = Object.keys(memberLifecycle.steps) as [MemberAction, ...MemberAction[]];
export const memberKinds = ["member", "invitation", "application"] as const;
/** The parts of the member list of an institution, shown one at a time. `history`: records that have ended. */
export const memberTabs = ["members", "invitations", "applications", "history"] as const;
export type MemberTab = (typeof memberTabs)[number];

const institutionSummary = z.object({ iid: id, name: z.string(), number: z.string(), type: z.enum(institutionTypes) });

export const member = z.object({
  id,
  kind: z.enum(memberKinds),
  institution: institutionSummary,
  /** Null while nobody with an account is meant. */
  userId: id.nullable(),
  name: z.string(),
  headerImg: z.string().nullable(),
  /** 0 where no role was chosen yet. */
  authorityId: z.int(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  remark: z.string().nullable(),
  /** The licence number of a dentist, for the managers and the person; null for everybody else, and where none is kept. */
  licence: z.string().nullable(),
  state: z.enum(memberStates),
  status: z.int(),
  /** Since when the record is: of a member, the day of joining. */
  joinedAt: instant,
  expiresAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** The person who changed its state last. */
  operator: z.string().nullable(),
  version,
  actions: z.array(z.enum(actions)),
});
export type Member = z.output<typeof member>;

const emailAddress = email(200).toLowerCase();
const invitationCode = limited(200);

export const memberCalls = {
  list: call({
    method: "GET",
    path: "/v1/member/list",
    access: caseRoles,
    summary:
      "The members of the session's organisation; its managers also see invitations, applications and what has ended.",
    input: z.object({ ...pagingParameters, part: z.enum(memberTabs).default("members"), search: text(60).optional() }),
    output: pageOf(member).extend({ counts: z.record(z.enum(memberTabs), z.int()) }),
  }),
  mine: call({
    method: "GET",
    path: "/v1/member/mine",
    access: "signedIn",
    summary: "The user's own memberships, invitations and applications, open ones first, with those that have ended.",
    input: z.object({ ...pagingParameters }),
    output: pageOf(member),
  }),
  allowLaunch: call({
    method: "POST",
    path: "/v1/member/allowLaunch",
    access: caseRoles,
    summary: "Says whether programs of the session's organisation may open this product as the user.",
    isIdempotent: true,
    audit: "member.allowLaunch",
    input: z.object({ on: z.boolean() }),
    output: z.object({ on: z.boolean() }),
  }),
  invite: call({
    method: "POST",
    path: "/v1/user/userInvitation",
    access: managerRoles,
    summary: "Invites somebody by e-mail into the session's organisation, in a role.",
    isIdempotent: true,
    input: z.object({ email: emailAddress, authorityId: int32, name: text(60).optional() }),
    output: member,
  }),
  apply: call({
    method: "POST",
    path: "/v1/institution/memberApply",
    access: "signedIn",
    summary: "Asks an organisation, by its number or id, to be taken as a member.",
    isIdempotent: true,
    input: z
      .object({ number: required(20).optional(), iid: id.optional(), remark: text(200).optional() })
      .refine(({ number, iid }) => number !== undefined || iid !== undefined, {
        path: ["number"],
        message: "required",
      }),
    output: member,
  }),
  update: call({
    method: "POST",
    path: "/v1/institution/memberUpdate",
    access: "signedIn",
    summary: "Moves a membership, an invitation or an application by one action of its life.",
    isIdempotent: true,
    input: z.object({
      id,
      action: z.enum(actions),
      authorityId: int32.optional(),
      version: version.optional(),
      /** The code from the invitation email. */
      code: invitationCode.optional(),
      /** The user who takes over the open work of a member who leaves. */
      colleagueId: id.optional(),
    }),
    output: member,
  }),
  setLicence: call({
    method: "POST",
    path: "/v1/institution/memberLicence",
    access: managerRoles,
    summary: "Keeps a dentist's licence number, with which they sign reports; null removes it.",
    isIdempotent: true,
    audit: "member.setLicence",
    input: z.object({ id, version, licence: required(memberRules.licence).nullable() }),
    output: member,
  }),
  open: call({
    method: "POST",
    path: "/v1/base/active",
    access: "anyone",
    summary: "Looks at an invitation by the secret of its letter, without using it up.",
    input: z.object({ code: invitationCode.min(1) }),
    output: z.object({
      kind: z.literal("invitation"),
      id,
      institution: institutionSummary,
      authorityId: z.int(),
      /** The person who sent the invitation. */
      inviter: z.string(),
      email: z.string(),
      name: z.string(),
      state: z.enum(memberStates),
      status: z.int(),
      expiresAt: instant,
      /** True if the invited address belongs to an account. */
      hasAccount: z.boolean(),
    }),
  }),
} as const;
