import { sql } from "kysely";
import { z } from "zod";
import { account } from "@arcada/contract/account/account.schema";
import { email, limited, required } from "@arcada/contract/kernel/fields";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { schemaUris } from "../protocol/attributes.ts";
import type { Document } from "../protocol/attributes.ts";
import { parseFilter, refuseFilter } from "../protocol/filter.ts";
import { resourceMeta } from "../protocol/requests-and-responses.ts";
import type { UserCondition, UserInput, UserRow } from "./user.store.ts";

const optional = limited(scimRules.textLength).nullish();
const userSchema = z.object({
  userName: required(scimRules.textLength),
  externalId: optional,
  displayName: optional,
  name: z.object({ formatted: optional, givenName: optional, familyName: optional }).nullish(),
  emails: z
    .array(z.object({ value: optional, type: limited(40).nullish(), primary: z.boolean().nullish() }))
    .max(scimRules.maxEmails)
    .nullish(),
  active: z.boolean().nullish(),
});

/** Validates a resource whose attributes have our names. */
export function parseUser(document: Document): UserInput {
  const { data, error } = userSchema.safeParse(document);
  if (!data) return refuse("scimValue", { attribute: error.issues[0]?.path.join(".") ?? "" });
  const emails = (data.emails ?? []).flatMap(({ value, type, primary }) =>
    value ? [{ value, ...(type && { type }), ...(primary && { primary }) }] : [],
  );
  return {
    userName: data.userName,
    externalId: data.externalId || null,
    displayName: data.displayName || null,
    givenName: data.name?.givenName || null,
    familyName: data.name?.familyName || null,
    formattedName: data.name?.formatted || null,
    emails,
    email: parseAddress((emails.find(({ primary }) => primary) ?? emails[0])?.value ?? data.userName),
    active: data.active ?? true,
  };
}

/** An address that our own forms would refuse can neither found an account nor be invited. */
function parseAddress(text: string): string {
  const address = email(120).toLowerCase().safeParse(text.trim());
  return address.success && account.safeParse(address.data).success
    ? address.data
    : refuse("scimValue", { attribute: "emails" });
}

/** Returns the name that a new account gets. */
export const fullName = (row: UserRow): string =>
  (
    row.display_name ??
    row.formatted_name ??
    ([row.given_name, row.family_name].filter(Boolean).join(" ") || row.email.replace(/@.*/, ""))
  )
    .slice(0, 60)
    .replace(/\p{Cc}/gu, " ")
    .trim();

/** The writable attributes, as a PATCH changes them. */
export const toDocument = (row: UserRow): Document => ({
  ...pickColumns(row, "user_name", "external_id", "display_name", "emails", "active"),
  name: { formatted: row.formatted_name, ...pickColumns(row, "given_name", "family_name") },
});

const withoutNulls = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null && value !== undefined));

export function toUserResource(row: UserRow, base: string): Document {
  const { name, ...document } = toDocument(row);
  const parts = withoutNulls(name as Document);
  const state = row.authority !== null ? "member" : row.offered !== null ? "invited" : "none";
  return {
    schemas: [schemaUris.user, schemaUris.membership],
    id: row.id,
    ...withoutNulls(document),
    ...(Object.keys(parts).length > 0 && { name: parts }),
    groups: row.groups.map((group) => ({ ...group, $ref: `${base}/Groups/${group.value}` })),
    [schemaUris.membership]: { state },
    meta: resourceMeta("User", row, base),
  };
}

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
type ToCondition = (value: string) => UserCondition;
const hasEmail: ToCondition = (value) =>
  sql`exists (select from jsonb_array_elements(s.emails) e where lower(e ->> 'value') = lower(${value}))`;
const conditions: Record<string, ToCondition> = {
  id: (value) => (uuid.test(value) ? sql`s.id = ${value}` : sql`false`),
  username: (value) => sql`lower(s.user_name) = lower(${value})`,
  externalid: (value) => sql`s.external_id = ${value}`,
  displayname: (value) => sql`lower(s.display_name) = lower(${value})`,
  emails: hasEmail,
  "emails.value": hasEmail,
  'emails[type eq "work"].value': hasEmail,
  active: (value) => sql`s.active = ${value === "true"}`,
};

/** Turns a filter into conditions on `scim_user s`. */
export const parseUserFilter = (filter: unknown): UserCondition[] =>
  parseConditions(filter, conditions, schemaUris.user);

export function parseConditions(
  filter: unknown,
  known: Readonly<Record<string, ToCondition>>,
  schema: string,
): UserCondition[] {
  if (filter === undefined) return [];
  if (typeof filter !== "string") return refuseFilter();
  return parseFilter(filter).map(({ path, value }) => {
    const name = path.toLowerCase().replace(`${schema.toLowerCase()}:`, "");
    const toCondition = Object.hasOwn(known, name) ? known[name] : undefined;
    return toCondition ? toCondition(String(value)) : refuseFilter();
  });
}
