import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { limited, required } from "@arcada/contract/kernel/fields";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { lockInstitutionMembers } from "../../domain/lock-members.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { groupAttributes, schemaUris, toCanonical } from "../protocol/attributes.ts";
import type { Document } from "../protocol/attributes.ts";
import { applyPatch, parseOperations } from "../protocol/patch.ts";
import {
  isShown,
  isUnchanged,
  listResponse,
  parsePage,
  parseProjection,
  project,
  requireMatch,
  resourceMeta,
  toETag,
} from "../protocol/requests-and-responses.ts";
import type { ProvisionedInstitution, ScimContext } from "../scim-context.ts";
import type { ScimAnswer } from "../user/user-requests.ts";
import { followIdentityProvider, isRoleOutdated } from "../user/user.membership.ts";
import { parseConditions, uuid } from "../user/user.resource.ts";
import { listUsers } from "../user/user.store.ts";
import {
  areUsers,
  countGroups,
  deleteGroup,
  findGroup,
  insertGroup,
  isGroupNameTaken,
  listGroups,
  replaceMembers,
  updateGroup,
} from "./group.store.ts";
import type { GroupInput, GroupRow } from "./group.store.ts";

export async function searchGroups({ db, iid, query, base }: ScimContext): Promise<ScimAnswer> {
  const page = parsePage(query);
  const where = parseConditions(query.filter, conditions, schemaUris.group);
  const projection = parseProjection(query);
  const withMembers = isShown(projection, "members");
  const rows = page.count === 0 ? [] : await listGroups(db, iid, where, { ...page, withMembers });
  const resources = rows.map((row) => project(toGroupResource(row, base, withMembers), projection));
  return { status: 200, body: listResponse(resources, await countGroups(db, iid, where), page.startIndex) };
}

const hasMember = (value: string): RawBuilder<boolean> =>
  uuid.test(value)
    ? sql`exists (select from scim_group_member b where b.institution_id = g.institution_id and b.group_id = g.id
        and b.member_id = ${value})`
    : sql`false`;
const conditions: Record<string, (value: string) => RawBuilder<boolean>> = {
  id: (value) => (uuid.test(value) ? sql`g.id = ${value}` : sql`false`),
  displayname: (value) => sql`lower(g.display_name) = lower(${value})`,
  externalid: (value) => sql`g.external_id = ${value}`,
  members: hasMember,
  "members.value": hasMember,
};

export async function readGroup(context: ScimContext, id: string): Promise<ScimAnswer> {
  const projection = parseProjection(context.query);
  const row = await requireGroup(context, id, isShown(projection, "members"));
  if (!isUnchanged(context.request, row.version)) return answerGroup(context, row);
  context.reply.header("etag", toETag(row.version));
  return { status: 304, body: null };
}

export async function createGroup(context: ScimContext): Promise<ScimAnswer> {
  const { db, iid, request, base } = context;
  const input = parseGroup(toCanonical(request.body, groupAttributes));
  await lockInstitutionMembers(db, iid);
  if (await isGroupNameTaken(db, iid, input.displayName, null)) refuse("scimTaken", { attribute: "displayName" });
  if ((await countGroups(db, iid, [])) >= scimRules.maxGroups) refuse("scimTooMany", { most: scimRules.maxGroups });
  await requireUsers(context, input);
  const id = await insertGroup(db, iid, input);
  // A new group has no role yet, so that nobody's membership changes.
  await replaceMembers(db, iid, id, input.members);
  await context.record("scim.createGroup", id, { members: input.members.length });
  context.reply.header("location", `${base}/Groups/${id}`);
  return answerGroup(context, await requireGroup(context, id, true), 201);
}

export async function replaceGroup(context: ScimContext, id: string): Promise<ScimAnswer> {
  await changeGroup(context, id, () => toCanonical(context.request.body, groupAttributes));
  return answerGroup(context, await requireGroup(context, id, true));
}

/** Answers without the group: it may have thousands of members. */
export async function patchGroup(context: ScimContext, id: string): Promise<ScimAnswer> {
  const operations = parseOperations(context.request.body);
  const target = { schema: schemaUris.group, attributes: groupAttributes };
  await changeGroup(context, id, (row) =>
    applyPatch(
      { ...pickColumns(row, "display_name", "external_id"), members: row.members.map(({ value }) => ({ value })) },
      operations,
      target,
    ),
  );
  return { status: 204, body: null };
}

async function changeGroup(context: ScimContext, id: string, change: (row: GroupRow) => Document): Promise<void> {
  const { db, iid, request } = context;
  await lockInstitutionMembers(db, iid);
  const before = await requireGroup(context, id, true);
  requireMatch(request, before.version);
  const input = parseGroup(change(before));
  if (await isGroupNameTaken(db, iid, input.displayName, id)) refuse("scimTaken", { attribute: "displayName" });
  await requireUsers(context, input);
  const moved = await replaceMembers(db, iid, id, input.members);
  const isRenamed = input.displayName !== before.display_name || input.externalId !== before.external_id;
  if (moved.length === 0 && !isRenamed) return;
  await updateGroup(db, iid, id, input);
  await context.record("scim.changeGroup", id, { members: input.members.length, moved: moved.length });
  if (before.authority_id !== null) await followGroupChange(context, moved);
}

export async function removeGroup(context: ScimContext, id: string): Promise<ScimAnswer> {
  const { db, iid, request } = context;
  await lockInstitutionMembers(db, iid);
  const row = await requireGroup(context, id, true);
  requireMatch(request, row.version);
  await deleteGroup(db, iid, id);
  await context.record("scim.removeGroup", id, { members: row.size });
  if (row.authority_id !== null)
    await followGroupChange(
      context,
      row.members.map(({ value }) => value),
    );
  return { status: 204, body: null };
}

/** Applies a change of groups to the roles of these people. */
export async function followGroupChange(context: ProvisionedInstitution, ids: readonly string[]): Promise<void> {
  const rows = await listUsers(context.db, context.iid, [sql`s.id = any(${[...ids]}::uuid[])`], {
    startIndex: 1,
    count: scimRules.maxGroupMembers,
  });
  for (const row of rows) if (isRoleOutdated(row, context)) await followIdentityProvider(context, row.id, false);
}

const optional = limited(scimRules.textLength).nullish();
const groupSchema = z.object({
  displayName: required(scimRules.textLength),
  externalId: optional,
  members: z
    .array(z.object({ value: limited(100) }))
    .max(scimRules.maxGroupMembers)
    .nullish(),
});
function parseGroup(document: Document): GroupInput {
  const { data, error } = groupSchema.safeParse(document);
  if (!data) return refuse("scimValue", { attribute: error.issues[0]?.path.join(".") ?? "" });
  const ids = new Set((data.members ?? []).map(({ value }) => value.toLowerCase()));
  return { displayName: data.displayName, externalId: data.externalId || null, members: [...ids] };
}

/** An id of another organisation gets the same answer as one that does not exist. */
async function requireUsers({ db, iid }: ScimContext, { members }: GroupInput): Promise<void> {
  if (!members.every((id) => uuid.test(id)) || !(await areUsers(db, iid, members)))
    refuse("scimValue", { attribute: "members" });
}

async function requireGroup({ db, iid }: ScimContext, id: string, withMembers: boolean): Promise<GroupRow> {
  return (uuid.test(id) && (await findGroup(db, iid, id, withMembers))) || refuse("notFound");
}

function answerGroup({ reply, query, base }: ScimContext, row: GroupRow, status: 200 | 201 = 200): ScimAnswer {
  reply.header("etag", toETag(row.version));
  const projection = parseProjection(query);
  return { status, body: project(toGroupResource(row, base, isShown(projection, "members")), projection) };
}

const toGroupResource = (row: GroupRow, base: string, withMembers: boolean): Document => ({
  schemas: [schemaUris.group],
  ...pickColumns(row, "id", "display_name"),
  ...(row.external_id !== null && pickColumns(row, "external_id")),
  ...(withMembers && {
    members: row.members.map((member) => ({ ...member, $ref: `${base}/Users/${member.value}` })),
  }),
  meta: resourceMeta("Group", row, base),
});
