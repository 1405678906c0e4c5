import { accountProperties } from "./describe-accounts.ts";
import { imageProperties } from "./describe-images.ts";
import { listProperties } from "./describe-lists.ts";
import { operationProperties } from "./describe-operation.ts";
import { orderListProperties } from "./describe-order-lists.ts";
import { orderProperties } from "./describe-orders.ts";
import { organisationProperties } from "./describe-organisations.ts";
import { patientProperties } from "./describe-patients.ts";
import { serviceProperties } from "./describe-service.ts";
import { treatmentProperties } from "./describe-treatment.ts";

/** A value as JSON writes it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The words about one property of a request: for people who read the OpenAPI document. */
export interface Words {
  /** A full sentence or a noun phrase: meaning, unit, format, and the effect of null or of leaving it out. */
  says: string;
  /** A value that the property's schema accepts. An object needs none: its properties have examples of their own. */
  example?: Json;
}

/**
 * Words by property. A key is the end of a property's path (`dueDate`, `items.kind`), and may be limited to a slice
 * (`order:search`) or to a call (`order.step:text`). Array items and the alternatives of a union add nothing to a path.
 */
export type PropertyWords = Readonly<Record<string, Words>>;

const tables: readonly PropertyWords[] = [
  accountProperties,
  imageProperties,
  listProperties,
  operationProperties,
  orderListProperties,
  orderProperties,
  organisationProperties,
  patientProperties,
  serviceProperties,
  treatmentProperties,
];

/** Every row of all tables. No key may occur in two of them. */
export const propertyRows: readonly (readonly [key: string, words: Words])[] = tables.flatMap((table) =>
  Object.entries(table),
);
const wordsByKey = new Map(propertyRows);

/**
 * Returns the key of the most specific row about a property: the longest end of its path wins, and of equal ones the row
 * for the call over that for the slice, and that over the row for all calls.
 *
 * @param callName for example `order.step`
 * @param path names of properties from the input down, for example `["prescription", "items", "kind"]`
 */
export function findPropertyKey(callName: string, path: readonly string[]): string | undefined {
  const slice = callName.slice(0, callName.indexOf("."));
  const scopes = [`${callName}:`, `${slice}:`, ""];
  const ends = path.map((_, start) => path.slice(start).join("."));
  return ends.flatMap((end) => scopes.map((scope) => scope + end)).find((key) => wordsByKey.has(key));
}

/** Returns the most specific words about a property of a call's input, or undefined if nobody has written any. */
export function findPropertyWords(callName: string, path: readonly string[]): Words | undefined {
  const key = findPropertyKey(callName, path);
  return key === undefined ? undefined : wordsByKey.get(key);
}
