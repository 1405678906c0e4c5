import { z } from "zod";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { refuse } from "../../platform/http/refuse.ts";
import { findAttribute, isObject, toCanonicalValue, toElement } from "./attributes.ts";
import type { Attribute, Document } from "./attributes.ts";
import { parseFilter } from "./filter.ts";
import type { FilterTerm } from "./filter.ts";

const operations = z.array(
  z.object({
    op: z.string().max(20),
    path: z.string().max(scimRules.filterLength).nullish(),
    value: z.unknown().optional(),
  }),
);
export interface Operation {
  op: "add" | "replace" | "remove";
  path: string | null;
  value: unknown;
}

/** Reads the body of a PATCH (RFC 7644, 3.5.2). Microsoft Entra writes the operations with capitals. */
export function parseOperations(body: unknown): Operation[] {
  const list = isObject(body) ? findValue(body, "operations") : undefined;
  if (Array.isArray(list) && list.length > scimRules.maxOperations)
    refuse("scimTooMany", { most: scimRules.maxOperations });
  const parsed = operations.safeParse(list);
  if (!parsed.success || parsed.data.length === 0) return refuse("scimSyntax");
  return parsed.data.map(({ op, path, value }) => {
    const name = op.toLowerCase();
    if (name !== "add" && name !== "replace" && name !== "remove") return refuse("scimSyntax");
    return { op: name, path: path ?? null, value };
  });
}
const findValue = (object: Document, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];

/** Describes a kind of resource to `applyPatch`. */
export interface PatchTarget {
  schema: string;
  attributes: readonly Attribute[];
}

/**
 * Returns the resource after the operations, in order. Attributes that Arcada does not keep are ignored: a refusal would
 * stop the provisioning of a person because of, say, a fax number.
 */
export const applyPatch = (resource: Document, list: readonly Operation[], target: PatchTarget): Document =>
  list.reduce((before, operation) => applyOperation(before, operation, target), resource);

function applyOperation(resource: Document, { op, path, value }: Operation, target: PatchTarget): Document {
  if (path === null) {
    // RFC 7644, 3.5.2.2: without a path there is nothing to remove.
    if (op === "remove") return refuse("scimTarget");
    if (!isObject(value)) return refuse("scimValue", { attribute: "value" });
    return Object.entries(value).reduce(
      (before, [name, one]) => applyOperation(before, { op, path: name, value: one }, target),
      resource,
    );
  }
  const parsed = parsePath(path, target);
  if (parsed === null) return resource;
  const { attribute } = parsed;
  const before = resource[attribute.name];
  const after = attribute.multiValued
    ? changeList(Array.isArray(before) ? (before as unknown[]) : [], op, value, parsed)
    : changeSingle(before, op, value, parsed);
  return { ...resource, [attribute.name]: after };
}

interface ParsedPath {
  attribute: Attribute;
  term: FilterTerm | null;
  sub: Attribute | null;
}

/** Reads `attribute`, `attribute.sub`, `attribute[filter]` or `attribute[filter].sub`; null if we do not keep it. */
function parsePath(path: string, { schema, attributes }: PatchTarget): ParsedPath | null {
  if (path.length > scimRules.filterLength) refuse("scimPath");
  const bracket = path.indexOf("[");
  const closing = path.lastIndexOf("]");
  if (bracket >= 0 ? closing < bracket : closing >= 0) refuse("scimPath");
  const head = bracket < 0 ? path : path.slice(0, bracket);
  const colon = head.lastIndexOf(":");
  if (colon >= 0 && head.slice(0, colon).toLowerCase() !== schema.toLowerCase()) return null;
  const [name = "", headSub, ...more] = head.slice(colon + 1).split(".");
  const tail = bracket < 0 ? "" : path.slice(closing + 1);
  if (name === "" || more.length > 0 || (tail !== "" && !tail.startsWith("."))) refuse("scimPath");
  const attribute = findAttribute(attributes, name);
  if (!attribute || attribute.readOnly) return null;
  if (bracket >= 0 && !attribute.multiValued) refuse("scimPath");
  const subName = bracket < 0 ? headSub : tail.slice(1);
  const sub = subName ? findAttribute(attribute.subAttributes ?? [], subName) : null;
  if (sub === undefined || sub?.readOnly) return null;
  return { attribute, sub, term: bracket < 0 ? null : parseTerm(path.slice(bracket + 1, closing)) };
}

function parseTerm(text: string): FilterTerm {
  const [term, ...others] = parseFilter(text);
  return term && others.length === 0 ? term : refuse("scimPath");
}

function changeSingle(before: unknown, op: Operation["op"], value: unknown, { attribute, sub }: ParsedPath): unknown {
  if (sub) {
    const { [sub.name]: _, ...others } = isObject(before) ? before : {};
    return op === "remove" ? others : { ...others, [sub.name]: toCanonicalValue(value, sub) };
  }
  if (op === "remove") return undefined;
  const after = toCanonicalValue(value, attribute);
  return attribute.type === "complex" && isObject(before) && isObject(after) ? { ...before, ...after } : after;
}

function changeList(before: unknown[], op: Operation["op"], value: unknown, path: ParsedPath): unknown[] {
  const { attribute, term, sub } = path;
  if (term === null) {
    if (sub) return refuse("scimPath");
    const given = value === undefined ? [] : (toCanonicalValue(value, attribute) as unknown[]);
    if (op === "replace") return given;
    const named = new Set(given.map(valueOf));
    // Entra removes members by a list of values besides the path.
    if (op === "remove") return value === undefined ? [] : before.filter((one) => !named.has(valueOf(one)));
    return [...before.filter((one) => !named.has(valueOf(one))), ...given];
  }
  const matches = (one: unknown) => matchesTerm(one, term, attribute);
  if (op === "remove") {
    if (!sub) return before.filter((one) => !matches(one));
    return before.map((one) => (matches(one) ? { ...(one as Document), [sub.name]: undefined } : one));
  }
  const change: Document = sub ? { [sub.name]: toCanonicalValue(value, sub) } : toObject(toElement(value, attribute));
  if (before.some(matches)) return before.map((one) => (matches(one) ? { ...(one as Document), ...change } : one));
  // Entra adds an address by `emails[type eq "work"].value` to a person who has none of that type.
  const named = findAttribute(attribute.subAttributes ?? [], term.path);
  return named ? [...before, { [named.name]: term.value, ...change }] : refuse("scimTarget");
}

const toObject = (value: unknown): Document => (isObject(value) ? value : refuse("scimValue", { attribute: "value" }));
const valueOf = (one: unknown): unknown =>
  isObject(one) ? (typeof one.value === "string" ? one.value.toLowerCase() : one.value) : one;

function matchesTerm(one: unknown, { path, value }: FilterTerm, attribute: Attribute): boolean {
  const sub = findAttribute(attribute.subAttributes ?? [], path) ?? refuse("scimPath");
  if (!isObject(one)) return false;
  const own = one[sub.name];
  return typeof own === "string" && typeof value === "string"
    ? own.toLowerCase() === value.toLowerCase()
    : own === toCanonicalValue(value, sub);
}
