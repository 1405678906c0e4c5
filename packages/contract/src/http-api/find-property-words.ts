import { accountProperties } from "./describe-accounts.ts";
import { exchangeProperties } from "./describe-exchange.ts";
import { imageProperties } from "./describe-images.ts";
import { listProperties } from "./describe-lists.ts";
import { operationProperties } from "./describe-operation.ts";
import { orderListProperties } from "./describe-order-lists.ts";
import { orderProperties } from "./describe-orders.ts";
import { organisationProperties } from "./describe-organisations.ts";
import { patientProperties } from "./describe-patients.ts";
import { serviceProperties } from "./describe-service.ts";
import { treatmentProperties } from "./describe-treatment.ts";
import type { PropertyWords, Words } from "./property-words.ts";

const tables: readonly PropertyWords[] = [
  accountProperties,
  exchangeProperties,
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
