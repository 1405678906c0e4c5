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
