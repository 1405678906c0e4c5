import type { FastifyReply, FastifyRequest } from "fastify";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { refusalNameOf, setRetryAfter } from "../../platform/http/error-handler.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { parseLanguage, translate } from "../../platform/text/texts.ts";
import { isObject } from "./attributes.ts";
import type { Document } from "./attributes.ts";

export const scimMediaType = "application/scim+json; charset=utf-8";
const messages = "urn:ietf:params:scim:api:messages:2.0";

/** The words of RFC 7644, 3.12 for our refusals. */
const scimTypes: Partial<Record<RefusalName, string>> = {
  badJson: "invalidSyntax",
  badInput: "invalidValue",
  scimSyntax: "invalidSyntax",
  scimFilter: "invalidFilter",
  scimPath: "invalidPath",
  scimValue: "invalidValue",
  scimTarget: "noTarget",
  scimTooMany: "tooMany",
  scimTaken: "uniqueness",
};

/** Sends an error as RFC 7644, 3.12 shapes it, in the language of the request. */
export function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const name = refusalNameOf(error);
  if (name === "internal") request.log.error({ err: error }, "scim");
  const details = (error instanceof Refused ? error.details : null) as Record<string, string> | null;
  const { status } = refusals[name];
  // RFC 6750, 3: the client learns how to authenticate.
  if (status === 401) reply.header("www-authenticate", "Bearer");
  setRetryAfter(reply, name);
  return reply
    .code(status)
    .type(scimMediaType)
    .send({
      schemas: [`${messages}:Error`],
      status: String(status),
      ...(scimTypes[name] && { scimType: scimTypes[name] }),
      detail: translate(parseLanguage(request.headers["accept-language"]), "refusals", name, details ?? {}),
    });
}

export interface Page {
  startIndex: number;
  count: number;
}
/** Reads the page of a list; the first entry has the index 1 (RFC 7644, 3.4.2.4). */
export function parsePage(query: Record<string, unknown>): Page {
  const startIndex = parseWhole(query.startIndex, "startIndex") ?? 1;
  const count = parseWhole(query.count, "count") ?? scimRules.pageSize;
  return { startIndex: Math.max(1, startIndex), count: Math.min(scimRules.maxPageSize, Math.max(0, count)) };
}
function parseWhole(value: unknown, attribute: string): number | null {
  if (value === undefined) return null;
  return typeof value === "string" && /^-?\d{1,9}$/.test(value) ? Number(value) : refuse("scimValue", { attribute });
}

export const listResponse = (resources: readonly Document[], totalResults: number, startIndex = 1): Document => ({
  schemas: [`${messages}:ListResponse`],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** The common attribute `meta` (RFC 7643, 3.1). */
export const resourceMeta = (
  resourceType: "User" | "Group",
  { id, created_at: created, updated_at: lastModified, version }: ResourceRow,
  base: string,
): Document => ({
  resourceType,
  created,
  lastModified,
  location: `${base}/${resourceType}s/${id}`,
  version: toETag(version),
});
interface ResourceRow {
  id: string;
  created_at: string;
  updated_at: string;
  version: number;
}

/** A weak tag: a resource may be written in several ways, by `attributes`. */
export const toETag = (version: number): string => `W/"${version}"`;
const listTags = (header: string): string[] => header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));

/** Refuses a change of a version that is no longer the current one. */
export function requireMatch({ headers }: FastifyRequest, version: number): void {
  const wanted = headers["if-match"];
  if (wanted === undefined || wanted.trim() === "*") return;
  if (!listTags(wanted).includes(`"${version}"`)) refuse("scimChanged");
}
export const isUnchanged = ({ headers }: FastifyRequest, version: number): boolean =>
  listTags(headers["if-none-match"] ?? "").includes(`"${version}"`);

/** The attributes that a client asks for, in small letters; null: the usual ones. */
interface Projection {
  only: readonly string[] | null;
  without: readonly string[];
}
export function parseProjection({ attributes, excludedAttributes }: Record<string, unknown>): Projection {
  const list = (text: unknown) =>
    typeof text === "string" && text !== ""
      ? text
          .slice(0, 2000)
          .split(",")
          .map((name) => name.trim().toLowerCase())
      : null;
  return { only: list(attributes), without: list(excludedAttributes) ?? [] };
}

export const isShown = ({ only, without }: Projection, name: string): boolean =>
  only === null ? !without.includes(name.toLowerCase()) : only.some((one) => isWithin(one, name.toLowerCase()));
/** True if a requested path names the attribute or a part of it, also after the URI of its schema. */
const isWithin = (path: string, name: string): boolean => {
  const own = path.startsWith("urn:") && path !== name ? path.slice(path.lastIndexOf(":") + 1) : path;
  return own === name || own.startsWith(`${name}.`);
};

/** Leaves out what the client does not ask for. Schemas and id are always returned (RFC 7643, 3.1). */
export function project(resource: Document, projection: Projection): Document {
  if (projection.only === null && projection.without.length === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      if (name === "schemas" || name === "id") return [[name, value]];
      if (!isShown(projection, name)) return [];
      return [[name, isObject(value) ? projectParts(name, value, projection) : value]];
    }),
  );
}
function projectParts(name: string, value: Document, { only, without }: Projection): Document {
  const isPartShown = (part: string) => {
    const path = `${name}.${part}`.toLowerCase();
    if (without.includes(path)) return false;
    return (
      only === null || only.includes(name.toLowerCase()) || only.some((one) => one === path || one.endsWith(`:${path}`))
    );
  };
  return Object.fromEntries(Object.entries(value).filter(([part]) => isPartShown(part)));
}
