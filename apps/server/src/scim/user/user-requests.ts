import { scimRules } from "@arcada/contract/scim/scim.rules";
import { lockInstitutionMembers } from "../../domain/lock-members.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { schemaUris, toCanonical, userAttributes } from "../protocol/attributes.ts";
import type { Document } from "../protocol/attributes.ts";
import { applyPatch, parseOperations } from "../protocol/patch.ts";
import {
  isUnchanged,
  listResponse,
  parsePage,
  parseProjection,
  project,
  requireMatch,
  toETag,
} from "../protocol/requests-and-responses.ts";
import { demandChange } from "../scim-context.ts";
import type { ScimContext } from "../scim-context.ts";
import { endParticipation, followIdentityProvider } from "./user.membership.ts";
import { parseUser, parseUserFilter, toDocument, toUserResource, uuid } from "./user.resource.ts";
import { countUsers, deleteUser, findUser, insertUser, isNameTaken, listUsers, updateUser } from "./user.store.ts";
import type { UserInput, UserRow } from "./user.store.ts";

/** A response: a body, or nothing where the client has it or needs none. */
export interface ScimAnswer {
  status: 200 | 201 | 204 | 304;
  body: Document | null;
}

export async function searchUsers({ db, iid, query, base }: ScimContext): Promise<ScimAnswer> {
  const page = parsePage(query);
  const where = parseUserFilter(query.filter);
  const projection = parseProjection(query);
  const rows = page.count === 0 ? [] : await listUsers(db, iid, where, page);
  const resources = rows.map((row) => project(toUserResource(row, base), projection));
  return { status: 200, body: listResponse(resources, await countUsers(db, iid, where), page.startIndex) };
}

export async function readUser(context: ScimContext, id: string): Promise<ScimAnswer> {
  const row = await requireUser(context, id);
  if (!isUnchanged(context.request, row.version)) return answerUser(context, row);
  context.reply.header("etag", toETag(row.version));
  return { status: 304, body: null };
}

export async function createUser(context: ScimContext): Promise<ScimAnswer> {
  const { db, iid, request, base } = context;
  const input = parseUser(toCanonical(request.body, userAttributes));
  await lockInstitutionMembers(db, iid);
  if (await isNameTaken(db, iid, input.userName, null)) refuse("scimTaken", { attribute: "userName" });
  if ((await countUsers(db, iid, [])) >= scimRules.maxUsers) refuse("scimTooMany", { most: scimRules.maxUsers });
  const id = await insertUser(db, iid, input);
  await context.record("scim.createUser", id, { active: input.active });
  await followIdentityProvider(context, id, true);
  context.reply.header("location", `${base}/Users/${id}`);
  return answerUser(context, await requireUser(context, id), 201);
}

export const replaceUser = (context: ScimContext, id: string): Promise<ScimAnswer> =>
  changeUser(context, id, () => toCanonical(context.request.body, userAttributes));

export const patchUser = (context: ScimContext, id: string): Promise<ScimAnswer> => {
  const operations = parseOperations(context.request.body);
  const target = { schema: schemaUris.user, attributes: userAttributes };
  return changeUser(context, id, (row) => applyPatch(toDocument(row), operations, target));
};

async function changeUser(context: ScimContext, id: string, change: (row: UserRow) => Document): Promise<ScimAnswer> {
  const { db, iid, request } = context;
  await lockInstitutionMembers(db, iid);
  const before = await requireUser(context, id);
  requireMatch(request, before.version);
  const input = parseUser(change(before));
  if (await isNameTaken(db, iid, input.userName, id)) refuse("scimTaken", { attribute: "userName" });
  if (!isSame(before, input)) {
    await updateUser(db, iid, id, input);
    await context.record("scim.changeUser", id, { active: input.active });
    await followIdentityProvider(context, id, await isDemanded(context, before, input));
  }
  return answerUser(context, await requireUser(context, id));
}

/** True if the change demands a membership: of a person who was inactive, or at another address that nobody accepted. */
async function isDemanded(context: ScimContext, before: UserRow, input: UserInput): Promise<boolean> {
  const isMoved = before.account === null && before.email !== input.email;
  if (isMoved && before.offered !== null && before.admission_id !== null)
    await demandChange(context, { kind: "cancelInvitation", invitation: before.admission_id });
  return isMoved || (!before.active && input.active);
}

export async function removeUser(context: ScimContext, id: string): Promise<ScimAnswer> {
  const { db, iid, request } = context;
  await lockInstitutionMembers(db, iid);
  const row = await requireUser(context, id);
  requireMatch(request, row.version);
  await endParticipation(context, row);
  await deleteUser(db, iid, id);
  await context.record("scim.removeUser", id);
  return { status: 204, body: null };
}

async function requireUser({ db, iid }: ScimContext, id: string): Promise<UserRow> {
  return (uuid.test(id) && (await findUser(db, iid, id))) || refuse("notFound");
}

function answerUser({ reply, query, base }: ScimContext, row: UserRow, status: 200 | 201 = 200): ScimAnswer {
  reply.header("etag", toETag(row.version));
  return { status, body: project(toUserResource(row, base), parseProjection(query)) };
}

/** A repeated synchronisation that changes nothing keeps the version. */
const isSame = (row: UserRow, input: UserInput): boolean =>
  JSON.stringify(parseUser(toDocument(row))) === JSON.stringify(input);
