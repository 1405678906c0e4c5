import { z } from "zod";
import { institutionTypes } from "../institution/institution.calls.ts";
import { call } from "../kernel/call.ts";
import { email, id, instant, limited, listOf, paging, required, text, version, whole } from "../kernel/fields.ts";
import { caseRoles, managerRoles } from "../kernel/roles.ts";
import { memberCycle, memberStates } from "./member.cycle.ts";
import type { MemberAction } from "./member.cycle.ts";

const actions = Object.keys(memberCycle.steps) as [MemberAction, ...MemberAction[]];
export const memberKinds = ["member", "invitation", "application"] as const;
/** The parts of the member list of an institution, shown one at a time. `history`: records that have ended. */
export const memberParts = ["members", "invitations", "applications", "history"] as const;
export type MemberPart = (typeof memberParts)[number];

const house = z.object({ iid: id, name: z.string(), number: z.string(), type: z.enum(institutionTypes) });

export const member = z.object({
  id,
  kind: z.enum(memberKinds),
  institution: house,
  /** Null while nobody with an account is meant. */
  userId: id.nullable(),
  name: z.string(),
  headerImg: z.string().nullable(),
  /** 0 where no role was chosen yet. */
  authorityId: z.int(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  remark: z.string().nullable(),
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

const address = email(200).toLowerCase();
const code = limited(200);

export const memberCalls = {
  list: call({
    method: "GET",
    path: "/v1/member/list",
    access: caseRoles,
    says: "The members of the session's organisation; its managers also see invitations, applications and what has ended.",
    input: z.object({ ...paging, part: z.enum(memberParts).default("members"), search: text(60).optional() }),
    output: listOf(member).extend({ counts: z.record(z.enum(memberParts), z.int()) }),
  }),
  mine: call({
    method: "GET",
    path: "/v1/member/mine",
    access: "signedIn",
    says: "The user's own memberships, invitations and applications, open ones first, with those that have ended.",
    input: z.object({ ...paging }),
    output: listOf(member),
  }),
  allowLaunch: call({
    method: "POST",
    path: "/v1/member/allowLaunch",
    access: caseRoles,
    says: "Says whether programs of the session's organisation may open this product as the user.",
    command: true,
    audit: "member.allowLaunch",
    input: z.object({ on: z.boolean() }),
    output: z.object({ on: z.boolean() }),
  }),
  invite: call({
    method: "POST",
    path: "/v1/user/userInvitation",
    access: managerRoles,
    says: "Invites somebody by e-mail into the session's organisation, in a role.",
    command: true,
    input: z.object({ email: address, authorityId: whole, name: text(60).optional() }),
    output: member,
  }),
  apply: call({
    method: "POST",
    path: "/v1/institution/memberApply",
    access: "signedIn",
    says: "Asks an organisation, by its number or id, to be taken as a member.",
    command: true,
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
    says: "Moves a membership, an invitation or an application by one action of its life.",
    command: true,
    input: z.object({
      id,
      action: z.enum(actions),
      authorityId: whole.optional(),
      version: version.optional(),
      /** The code from the invitation email. */
      code: code.optional(),
      /** The user who takes over the open work of a member who leaves. */
      colleagueId: id.optional(),
    }),
    output: member,
  }),
  open: call({
    method: "POST",
    path: "/v1/base/active",
    access: "anyone",
    says: "Looks at an invitation by the secret of its letter, without using it up.",
    input: z.object({ code: code.min(1) }),
    output: z.object({
      kind: z.literal("invitation"),
      id,
      institution: house,
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
