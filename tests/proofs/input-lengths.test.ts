import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { everyCall } from "@arcada/contract/calls";
import { hostileFieldTexts, measureCpuMs, measureShortestCpuMs } from "@arcada/testing/hostile/slow-regex-texts";
import { checksOf, schemaLeaves } from "@arcada/testing/hostile/schema-leaves";

const size = 100_000;
const limitMs = 50;
const places = everyCall().flatMap(({ name, row }) =>
  schemaLeaves(row.input).map((place) => ({ ...place, name: `${name}${place.path}`, input: row.input })),
);
const texts = hostileFieldTexts(size);
// The patterns of these are bounded: they stop at the first character that is too many, and end what follows.
const bounded = ["uuid", "date"];
const isString = (schema: z.core.$ZodType): boolean => schema._zod.def.type === "string";

describe("the texts of every call", () => {
  it("are refused for their length before a pattern, a refinement or a transform sees them", () => {
    const wrong = places
      .filter(({ schema }) => isString(schema))
      .flatMap(({ name, schema }) => {
        const problem = findLateLengthCheck(schema);
        return problem ? [`${name}: ${problem}`] : [];
      });
    expect([...new Set(wrong)]).toEqual([]);
  });

  it("have lists and records that are counted before their elements are looked at", () => {
    const wrong = everyCall().flatMap(({ name, row }) => findUncountedLists(row.input, name));
    expect([...new Set(wrong)]).toEqual([]);
  });

  it(`are validated in less than ${limitMs} ms if they contain ${size} hostile characters`, () => {
    const slow: string[] = [];
    for (const { name, inputWith: fill, input } of places) {
      const judge = (text: string) => input.safeParse(fill(text));
      if (measureCpuMs(() => texts.forEach(({ text }) => judge(text)), 5 * limitMs) < limitMs) continue;
      const found = texts.find(({ text }) => measureShortestCpuMs(() => judge(text), limitMs) >= limitMs);
      if (found) slow.push(`${name}: ${found.shape}`);
    }
    expect(slow).toEqual([]);
  }, 300_000);
});

/** The result names the check that runs on a string that is too long; it is undefined if none does. */
function findLateLengthCheck(schema: z.core.$ZodType): string | undefined {
  const checks = checksOf(schema);
  for (const [at, { _zod }] of checks.entries()) {
    const { check, abort, format } = _zod.def as { check: string; abort?: boolean; format?: string };
    if (check === "overwrite" || check === "min_length") continue;
    const isLast = at === checks.length - 1;
    const ends = check === "max_length" || check === "length_equals" || bounded.includes(format ?? "");
    if (!ends) return `${format ?? check} comes before the length`;
    return abort || isLast ? undefined : `${format ?? check} does not end the checks`;
  }
  return "has no greatest length";
}

/** Arrays and records without a most, or with one that is looked at late. */
function findUncountedLists(schema: z.core.$ZodType, path: string): string[] {
  const def = schema._zod.def as unknown as Record<string, unknown> & { type: string };
  const own: string[] = [];
  if (def.type === "array" && !checksOf(schema).some(({ _zod }) => _zod.def.check === "max_length"))
    own.push(`${path}: an array without a most`);
  if (def.type === "record" && !hasFewKeys(def.keyType)) own.push(`${path}: a record without a most`);
  const isCounted = def.type === "pipe" && (def.out as z.core.$ZodType)._zod.def.type === "record";
  const inner = [
    ...Object.entries((def.shape as Record<string, unknown> | undefined) ?? {}),
    ...((def.options ?? def.items ?? []) as unknown[]).map((one, at) => [`|${at}`, one] as const),
    ["[]", def.element],
    ["{}", def.valueType],
    ["", def.innerType],
    ["<", def.in],
    [">", isCounted ? (def.out as { _zod: { def: { valueType: unknown } } })._zod.def.valueType : def.out],
  ] as [string, z.core.$ZodType | undefined][];
  return [...own, ...inner.flatMap(([step, one]) => (one ? findUncountedLists(one, `${path}.${step}`) : []))];
}

function hasFewKeys(key: unknown): boolean {
  return (key as z.core.$ZodType)._zod.def.type === "enum";
}
