import type { z } from "zod";

type Schema = z.core.$ZodType;
type Check = z.core.$ZodCheck;
/** A position in a call's input that accepts a plain value, and an input with a value there. */
export interface SchemaLeaf {
  path: string;
  schema: Schema;
  inputWith: (value: unknown) => unknown;
}
type Def = z.core.$ZodTypeDef & Record<string, never>;
const defOf = (schema: Schema): Def => schema._zod.def as Def;

/**
 * Returns every position of a schema that accepts a plain value: fields, elements, keys and values of records, each
 * alternative.
 */
export function schemaLeaves(schema: Schema, path = ""): SchemaLeaf[] {
  const def = defOf(schema);
  const within = (inner: Schema, step: string, fill: (value: unknown) => unknown): SchemaLeaf[] =>
    schemaLeaves(inner, path + step).map((place) => ({
      ...place,
      inputWith: (value: unknown) => fill(place.inputWith(value)),
    }));
  switch (def.type as string) {
    case "object": {
      const shape = def.shape as Record<string, Schema>;
      return Object.entries(shape).flatMap(([key, inner]) =>
        within(inner, `.${key}`, (value) => ({ ...(exampleFor(schema) as object), [key]: value })),
      );
    }
    case "array":
      return within(def.element, "[]", (value) => [value]);
    case "tuple":
      return (def.items as Schema[]).flatMap((inner, at) =>
        within(inner, `[${at}]`, (value) =>
          (def.items as Schema[]).map((one, place) => (place === at ? value : exampleFor(one))),
        ),
      );
    case "record":
      return [
        ...within(def.keyType, "{key}", (value) => ({ [String(value)]: exampleFor(def.valueType) })),
        ...within(def.valueType, "{value}", (value) => ({ [String(exampleFor(def.keyType))]: value })),
      ];
    case "union":
      return (def.options as Schema[]).flatMap((inner, at) => within(inner, `|${at}`, (value) => value));
    case "pipe":
      return within(isTransform(def.in) ? def.out : def.in, "", (value) => value);
    default:
      if (def.innerType) return within(def.innerType, "", (value) => value);
      return [{ path, schema, inputWith: (value) => value }];
  }
}

const isTransform = (schema: Schema): boolean => defOf(schema).type === "transform";

const plainValues: unknown[] = [
  "00000000-0000-7000-8000-000000000000",
  "2026-01-01",
  "2026-01-01T00:00:00Z",
  "2026-01-01T00:00",
  "a@clinic.test",
  "https://clinic.test/",
  "123456",
  "12345678",
  "CN",
  "1.0.0",
  "0".repeat(64),
  "a.pdf",
  "a",
  "",
  1,
  36,
  7,
  true,
  null,
];

/** Returns a value that a schema accepts; undefined if none is found. */
export function exampleFor(schema: Schema): unknown {
  const def = defOf(schema);
  switch (def.type as string) {
    case "object":
      return Object.fromEntries(
        Object.entries(def.shape as Record<string, Schema>)
          .map(([key, inner]) => [key, exampleFor(inner)])
          .filter(([, value]) => value !== undefined),
      );
    case "array":
      return accepts(schema, []) ? [] : [exampleFor(def.element)];
    case "tuple":
      return (def.items as Schema[]).map(exampleFor);
    case "record":
      return {};
    case "union":
      return exampleFor((def.options as Schema[])[0]);
    case "enum":
      return Object.values(def.entries as object)[0];
    case "literal":
      return (def.values as unknown[])[0];
    case "pipe":
      return exampleFor(isTransform(def.in) ? def.out : def.in);
    case "optional":
    case "default":
    case "prefault":
      return undefined;
    default:
      if (def.innerType) return exampleFor(def.innerType);
      return plainValues.find((value) => accepts(schema, value)) ?? "x".repeat(32);
  }
}
const accepts = (schema: Schema, value: unknown): boolean => (schema as z.ZodType).safeParse(value).success;

/** A schema runs these checks in this order. A format such as a UUID is a check itself and comes first. */
export const checksOf = (schema: Schema): Check[] => [
  ...(schema._zod.traits.has("$ZodCheck") ? [schema as unknown as Check] : []),
  ...((defOf(schema).checks as Check[] | undefined) ?? []),
];
