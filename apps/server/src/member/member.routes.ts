import { sql } from "kysely";
import { memberCalls, memberTabs } from "@arcada/contract/member/member.calls";
import type { Member, MemberTab } from "@arcada/contract/member/member.calls";
import { mayHaveLicence, memberStatus } from "@arcada/contract/member/member.lifecycle";
import { managerRoles } from "@arcada/contract/kernel/roles";
import type { AuthenticatedContext, Principal } from "../platform/http/request-context.ts";
import { avatarUrl } from "../platform/storage/avatar-url.ts";
import { notifyClients } from "../platform/events/events.ts";
import { lockInstitutionMembers } from "../domain/lock-members.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { secretHash } from "../platform/runtime/ids-and-secrets.ts";
import type { SearchSource } from "../platform/runtime/search-source.ts";
import { cachedSearchColumns, isFoundBy, sortByMatch } from "../platform/text/search-terms.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { applyForMembership, inviteMember } from "./member.admission.ts";
import { applyMemberAction } from "./apply-member-action.ts";
import { maySee, maySeeLicence, openActions, requireManager } from "./member.permissions.ts";
import {
  withSecret,
  countRecords,
  isInPart,
  matchesSearch,
  inInstitution,
  belongsToUser,
  listRecords,
  hasId,
  isListed,
} from "./member-records.store.ts";
import { listMemberNames, listColleagues, updateRecord, findUserByEmail } from "./member.store.ts";
import type { MemberRecord } from "./member-records.store.ts";
import type { Colleague } from "./member.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const memberRoutes = routes(memberCalls, {
  list: async (input, { db, principal }) => {
    const here = inInstitution(principal.iid);
    const counts: Record<MemberTab, number> = { members: 0, invitations: 0, applications: 0, history: 0 };
    for (const part of memberTabs)
      if (maySeePart(part, principal)) counts[part] = await countRecords(db, [here, isInPart(part)]);
    if (!maySeePart(input.part, principal)) return { list: [], total: 0, next: null, counts };
    const where = [here, isInPart(input.part), ...(input.search ? [await matchesText(db, principal, input)] : [])];
    const rows = await listRecords(db, where, { uid: principal.uid, ...toOffset(input) });
    return {
      list: rows.map((row) => toMember(row, principal)),
      total: await countRecords(db, where),
      next: null,
      counts,
    };
  },

  mine: async (input, { db, principal }) => {
    const where = [belongsToUser(principal.uid), isListed];
    const rows = await listRecords(db, where, { uid: principal.uid, ...toOffset(input) });
    return { list: rows.map((row) => toMember(row, principal)), total: await countRecords(db, where), next: null };
  },

  allowLaunch: async ({ on }, { db, principal }) => {
    await bypassTenantScope(db, () =>
      db
        .updateTable("membership")
        .set({ launch_allowed_at: on ? sql<string>`coalesce(launch_allowed_at, now())` : null })
        .where("institution_id", "=", principal.iid)
        .where("user_id", "=", principal.uid)
        .where("state", "=", "normal")
        .execute(),
    );
    return { on };
  },
  invite: async (input, context) => loadMember(context, await inviteMember(context, context.principal.iid, input)),
  apply: async (input, context) => loadMember(context, await applyForMembership(context, input)),

  update: async (input, context) => {
    const record = await requireNamedRecord(context, input);
    const id = await applyMemberAction(context, record, input);
    return loadMember(context, id);
  },

  setLicence: async ({ id, version, licence }, context) => {
    const { db, principal } = context;
    await lockInstitutionMembers(db, principal.iid);
    requireManager(await listColleagues(db, principal.iid), principal.uid);
    const [record] = await listRecords(db, [inInstitution(principal.iid), isInPart("members"), hasId(id)], {
      uid: principal.uid,
    });
    if (!record) return refuse("notFound");
    if (!mayHaveLicence(record.authority_id)) return refuse("memberActionNotAllowed");
    if (record.version !== version || !(await updateRecord(db, record, { licence }, principal.uid)))
      return refuse("memberChanged");
    context.subject = id;
    Object.assign(context.detail, { from: record.licence, to: licence, own: record.self });
    await notifyClients(db, { institutions: [principal.iid] }, "member", id);
    return loadMember(context, id);
  },

  open: async (input, { db }) => {
    const [found] = await listRecords(db, [withSecret(secretHash(input.code))], { uid: null });
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
      institution: toInstitution(found),
      authorityId: found.authority_id,
      inviter: inviter?.nick_name ?? "",
      email: found.email,
      name: found.name,
      state,
      status: memberStatus[state],
      expiresAt: found.expires_at,
      hasAccount: (await findUserByEmail(db, found.email)) !== undefined,
    };
  },
});

/** The search finds colleagues by their name, its pinyin and their contacts, as the list does. */
export const memberSearch: SearchSource = {
  kind: "person",
  list: memberCalls.list,
  find: async ({ db, principal }, { text, most }) => {
    const members = await listMemberNames(db, principal.iid);
    const found = members.map((row) => ({ row, ...toSearchable(row) })).filter((one) => isFoundBy(text, one));
    return sortByMatch(text, found)
      .slice(0, most)
      .map(({ row }) => ({ kind: "person", ...pickColumns(row, "id", "name", "authority_id", "email") }));
  },
};

/** PostgreSQL knows no pinyin: colleagues that it finds are found here. */
async function matchesText(
  db: Db,
  { iid }: { iid: string },
  { part, search = "" }: { part: MemberTab; search?: string | undefined },
) {
  const colleagues = part === "members" ? await listMemberNames(db, iid) : [];
  const found = colleagues.filter((row) => isFoundBy(search, toSearchable(row)));
  return matchesSearch(
    search,
    found.map(({ id }) => id),
  );
}

const toSearchable = ({ name, phone, email }: Colleague) => cachedSearchColumns({ name, numbers: [phone, email] });

const toOffset = ({ page, pageSize }: { page: number; pageSize: number }) => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
});

/** Addresses of people who are not colleagues are visible only to those who decide about them. */
const maySeePart = (part: MemberTab, principal: Principal): boolean =>
  part === "members" || (managerRoles as readonly string[]).includes(principal.role);

/**
 * Finds the record that an action names, if the principal may know of it: as their own, as a manager, or by the secret
 * in the email.
 */
async function requireNamedRecord(
  { db, principal }: AuthenticatedContext,
  { id, code }: { id: string; code?: string | undefined },
): Promise<MemberRecord> {
  const [record] = await listRecords(db, [hasId(id)], { uid: principal.uid });
  if (!record) return refuse("notFound");
  const hasInvitationCode = code !== undefined && record.secret_hash === secretHash(code);
  if (maySee(record, principal)) {
    if (code !== undefined && !hasInvitationCode) refuse("invitationSpent");
    return record;
  }
  return refuse(hasInvitationCode ? "invitationOtherAccount" : "notFound");
}

async function loadMember({ db, principal }: { db: Db; principal: Principal }, id: string): Promise<Member> {
  const [record] = await listRecords(db, [hasId(id)], { uid: principal.uid });
  return record ? toMember(record, principal) : refuse("notFound");
}

const toInstitution = (row: MemberRecord) => ({
  iid: row.institution_id,
  name: row.institution,
  number: row.number,
  type: row.type,
});

const toMember = (row: MemberRecord, principal: Principal): Member => ({
  ...pickColumns(row, "id", "kind", "user_id", "name", "authority_id", "phone", "email", "remark", "state"),
  ...pickColumns(row, "expires_at", "ended_at", "operator", "version"),
  institution: toInstitution(row),
  headerImg: row.user_id && avatarUrl(row.user_id, row.avatar),
  licence: maySeeLicence(row, principal) ? row.licence : null,
  status: memberStatus[row.state],
  joinedAt: row.since,
  actions: openActions(row, principal),
});
