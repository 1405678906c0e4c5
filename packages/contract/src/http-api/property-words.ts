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

const tables: readonly PropertyWords[] = [];

/** Every row of the tables. A key may occur in one table only. */
export const propertyWords: ReadonlyMap<string, Words> = new Map(tables.flatMap((table) => Object.entries(table)));

/** The number of rows before keys that occur twice were united. */
export const writtenRows: number = tables.reduce((sum, table) => sum + Object.keys(table).length, 0);

/**
 * Returns the key of the most specific row about a property: a row for the call wins over one for the slice, that over
 * one for all calls, and within each the longer path wins.
 *
 * @param callName for example `order.step`
 * @param path names of properties from the input down, for example `["prescription", "items", "kind"]`
 */
export function findPropertyKey(callName: string, path: readonly string[]): string | undefined {
  const slice = callName.slice(0, callName.indexOf("."));
  const suffixes = path.map((_, start) => path.slice(start).join("."));
  const scopes = [`${callName}:`, `${slice}:`, ""];
  return scopes.flatMap((scope) => suffixes.map((suffix) => scope + suffix)).find((key) => propertyWords.has(key));
}

/** Returns the most specific words about a property of a call's input, or undefined if nobody has written any. */
export function findPropertyWords(callName: string, path: readonly string[]): Words | undefined {
  const key = findPropertyKey(callName, path);
  return key === undefined ? undefined : propertyWords.get(key);
}
