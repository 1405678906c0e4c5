import { sql } from "kysely";
import { memberCalls, memberParts } from "@arcada/contract/member/member.calls";
import type { Member, MemberPart } from "@arcada/contract/member/member.calls";
import { memberStatus } from "@arcada/contract/member/member.cycle";
import { managerRoles } from "@arcada/contract/kernel/roles";
import type { AuthenticatedContext, Principal } from "../platform/http/request-context.ts";
import { avatarUrl } from "../platform/storage/avatar-url.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { secretHash } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { apply, invite } from "./member.begin.ts";
import { move } from "./member.move.ts";
import { maySee, openActions } from "./member.ts";
import {
  bySecret,
  countOf,
  inPart,
  matching,
  ofInstitution,
  ofUser,
  records,
  userWith,
  withId,
  worthSeeing,
} from "./member.store.ts";
import type { MemberRecord } from "./member.store.ts";

export const memberRoutes = routes(memberCalls, {
  list: async (input, { db, asker }) => {
    const here = ofInstitution(asker.iid);
    const counts: Record<MemberPart, number> = { members: 0, invitations: 0, applications: 0, history: 0 };
    for (const part of memberParts) if (isFor(part, asker)) counts[part] = await countOf(db, [here, inPart(part)]);
    if (!isFor(input.part, asker)) return { list: [], total: 0, next: null, counts };
    const where = [here, inPart(input.part), ...(input.search ? [matching(input.search)] : [])];
    const rows = await records(db, where, { uid: asker.uid, ...placeOf(input) });
    return { list: rows.map((row) => shown(row, asker)), total: await countOf(db, where), next: null, counts };
  },

  mine: async (input, { db, asker }) => {
    const where = [ofUser(asker.uid), worthSeeing];
    const rows = await records(db, where, { uid: asker.uid, ...placeOf(input) });
    return { list: rows.map((row) => shown(row, asker)), total: await countOf(db, where), next: null };
  },

  allowLaunch: async ({ on }, { db, asker }) => {
    await bypassTenantScope(db, () =>
      db
        .updateTable("membership")
        .set({ launch_allowed_at: on ? sql<string>`coalesce(launch_allowed_at, now())` : null })
        .where("institution_id", "=", asker.iid)
        .where("user_id", "=", asker.uid)
        .where("state", "=", "normal")
        .execute(),
    );
    return { on };
  },
  invite: async (input, context) => one(context, await invite(context, context.asker.iid, input)),
  apply: async (input, context) => one(context, await apply(context, input)),

  update: async (input, context) => {
    const record = await meant(context, input);
    const id = await move(context, record, input);
    return one(context, id);
  },

  open: async (input, { db }) => {
    const [found] = await records(db, [bySecret(secretHash(input.code))], { uid: null });
    if (!found?.email || !found.expires_at) return refuse("invitationUnknown");
    const inviter = await db
      .selectFrom("users")
      .select("nick_name")
      .where("id", "=", found.inviter_id)
      .executeTakeFirst();
    const state = found.state === "awaiting_confirmation" && found.late ? "expired" : found.state;
    return {
      kind: "invitation" as const,
      id: found.id,
      institution: houseOf(found),
      authorityId: found.authority_id,
      inviter: inviter?.nick_name ?? "",
      email: found.email,
      name: found.name,
      state,
      status: memberStatus[state],
      expiresAt: found.expires_at,
      hasAccount: (await userWith(db, found.email)) !== undefined,
    };
  },
});

const placeOf = ({ page, pageSize }: { page: number; pageSize: number }) => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
});

/** Addresses of people who are not colleagues are visible only to those who decide about them. */
const isFor = (part: MemberPart, asker: Principal): boolean =>
  part === "members" || (managerRoles as readonly string[]).includes(asker.role);

/**
 * Finds the record that an action names, if the asker may know of it: as their own, as a manager, or by the secret in
 * the e-mail.
 */
async function meant(
  { db, asker }: AuthenticatedContext,
  { id, code }: { id: string; code?: string | undefined },
): Promise<MemberRecord> {
  const [record] = await records(db, [withId(id)], { uid: asker.uid });
  if (!record) return refuse("notFound");
  const hasLetter = code !== undefined && record.secret_hash === secretHash(code);
  if (maySee(record, asker)) {
    if (code !== undefined && !hasLetter) refuse("invitationSpent");
    return record;
  }
  return refuse(hasLetter ? "invitationOtherAccount" : "notFound");
}

async function one({ db, asker }: { db: Db; asker: Principal }, id: string): Promise<Member> {
  const [record] = await records(db, [withId(id)], { uid: asker.uid });
  return record ? shown(record, asker) : refuse("notFound");
}

const houseOf = (row: MemberRecord) => ({
  iid: row.institution_id,
  name: row.institution,
  number: row.number,
  type: row.type,
});

const shown = (row: MemberRecord, asker: Principal): Member => ({
  id: row.id,
  kind: row.kind,
  institution: houseOf(row),
  userId: row.user_id,
  name: row.name,
  headerImg: row.user_id && avatarUrl(row.user_id, row.avatar),
  authorityId: row.authority_id,
  phone: row.phone,
  email: row.email,
  remark: row.remark,
  state: row.state,
  status: memberStatus[row.state],
  joinedAt: row.since,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  operator: row.operator,
  version: row.version,
  actions: openActions(row, asker),
});
