import { z } from "zod";
import type { Call } from "@arcada/contract/kernel/call";

type FieldPath = readonly (string | number)[];
interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

const nestedValue = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? { a: value } : [value];
  return value;
};
const cursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const unknownId = "00000000-0000-7000-8000-000000000000";

/** No form sends these values: each has brought some server down, or could. */
export const oddValues: readonly unknown[] = [
  "\0",
  "a\0b",
  "\ud800",
  "\udc00",
  "x\ud83d",
  "\ufffe\uffff",
  "\u0007\u001b[31m",
  "\u202egnp.exe",
  "a\r\nb: c",
  -1,
  0,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  "2147483648",
  "9223372036854775808",
  "NaN",
  "Infinity",
  "-0",
  "1e999",
  "0x10",
  "٣",
  "0000-01-01",
  "0001-01-01",
  "9999-12-31",
  "2026-02-30",
  "275760-09-13",
  "-271821-04-20",
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-14:00",
  "+275760-09-13T00:00:00.000Z",
  "0001-01-01T00:00",
  "9999-12-31T23:59:59.999999999Z",
  "2026-01-01T24:00:00Z",
  "",
  " ",
  "__proto__",
  "constructor",
  "toString",
  "x".repeat(5000),
  "😀".repeat(300),
  "x".repeat(121),
  unknownId,
  unknownId.slice(0, -1),
  `${unknownId}0`,
  unknownId.toUpperCase(),
  `{${unknownId}}`,
  `${unknownId},${unknownId}`,
  "../../secret.key",
  "%00",
  "%ud800",
  "'; select 1; --",
  "\\",
  "%",
  "_",
  "(((((((((((a",
  "[",
  "*:*&|!()",
  "cancel",
  "normal",
  "delivered",
  "clinic",
  "restoration",
  "email",
  "2026-01-01_",
  "1,2,3",
  "1_2_3",
  cursor(null),
  cursor([]),
  cursor({}),
  cursor(["name", "up", "\0", null, unknownId]),
  cursor([1e308, "\ud800"]),
  cursor(["createdAt", "up", "0000-01-01", unknownId]),
  cursor({ at: "x", id: "y" }),
  "-",
  "AAAA",
  "=",
  true,
  null,
  [],
  {},
  [null],
  [[]],
  [""],
  ["\0"],
  { "": 1 },
  { "\0": "\0" },
  { "\ud800": 1 },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  { constructor: { prototype: { x: 1 } } },
  { toString: 1, length: -1 },
  nestedValue(40),
  nestedValue(2000),
  Array.from({ length: 3000 }, () => unknownId),
];

/** Returns every place of a value in a call's input, including the whole input. */
export function listFieldPaths({ input }: Call): FieldPath[] {
  const found = new Map<string, FieldPath>();
  visitFields(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as JsonSchema, [], (path) =>
    found.set(JSON.stringify(path), path),
  );
  return [...found.values()];
}

function visitFields(shape: JsonSchema, path: FieldPath, onField: (path: FieldPath) => unknown): void {
  onField(path);
  for (const [name, inner] of Object.entries(shape.properties ?? {})) visitFields(inner, [...path, name], onField);
  for (const inner of [shape.anyOf, shape.oneOf, shape.allOf].flat()) if (inner) visitFields(inner, path, onField);
  shape.prefixItems?.forEach((inner, at) => visitFields(inner, [...path, at], onField));
  if (shape.items) visitFields(shape.items, [...path, 0], onField);
  if (typeof shape.additionalProperties === "object") visitFields(shape.additionalProperties, [...path, "x"], onField);
}

/** The input with this value in that place; what does not lead there yet is made. */
export function setAtPath(input: unknown, path: FieldPath, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const inside = (input ?? undefined) as Record<string | number, unknown> | undefined;
  const next = setAtPath(inside?.[name], rest, value);
  if (typeof name === "number") return Object.assign([...(Array.isArray(inside) ? inside : [])], { [name]: next });
  return { ...(typeof inside === "object" && !Array.isArray(inside) ? inside : {}), [name]: next };
}
