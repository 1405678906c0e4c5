import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { calls, everyCall } from "@arcada/contract/calls";
import { readInput } from "@arcada/contract/kernel/call";
import { hasAccess, roleNames, roles } from "@arcada/contract/kernel/roles";
import { refusals, successCode } from "@arcada/contract/kernel/refusals";
import { screens } from "@arcada/contract/screens";
import { homePathOf } from "@arcada/contract/start-page";
import type { Screen } from "@arcada/contract/screens";
import { generatedDocs } from "../../scripts/generate-docs.ts";
import { setAtPath } from "../proofs/support/odd-values.ts";
import { present } from "@arcada/testing/require-present";

describe("the contract", () => {
  it("has no two calls at one address", () => {
    const addresses = everyCall().map(({ row }) => `${row.method} ${row.path}`);
    expect(addresses).toEqual([...new Set(addresses)]);
  });

  it("gives every refusal its own code, and none the success code", () => {
    const codes = Object.values(refusals).map(({ code }) => code);
    expect(codes).toHaveLength(new Set(codes).size);
    expect(codes).not.toContain(successCode);
  });

  it("gives every role its own number", () => {
    const numbers = roleNames.map((name) => roles[name].authorityId);
    expect(numbers).toHaveLength(new Set(numbers).size);
  });

  it("names only existing calls as a screen's needs, and each admits every role that the screen admits", () => {
    const byName = new Map(everyCall().map(({ name, row }) => [name, row]));
    for (const [name, screen] of Object.entries(screens) as [string, Screen][])
      for (const needed of screen.needs) {
        const call = byName.get(needed);
        expect(call, `${name} needs ${needed}`).toBeDefined();
        for (const role of roleNames)
          if (hasAccess(screen.access, role))
            expect(hasAccess(present(call).access, role), `${role} on ${name} asks ${needed}`).toBe(true);
      }
  });

  it("opens every role's first screen to that role", () => {
    for (const role of roleNames) {
      const home = Object.values(screens).find((screen) => screen.path === homePathOf(role));
      expect(home && hasAccess(home.access, role), role).toBe(true);
    }
  });

  it("keeps the addresses that the specification fixes", () => {
    const fixed = [
      "login",
      "verLogin",
      "register",
      "registerVerify",
      "fetchCountries",
      "aliverify",
      "sendCaptchaCode",
      "changePassword",
      "welcome",
      "changeUserRole",
    ];
    const paths = everyCall().map(({ row }) => row.path);
    for (const name of fixed) expect(paths).toContain(`/v1/base/${name}`);
    expect(calls.institution.switch.path).toBe("/v1/institution/switch");
  });
});

describe("values that no database accepts are refused by every call", () => {
  const fields = everyCall().flatMap(({ name, row }) =>
    schemaLeaves(row.input).map((leaf) => ({ name, row, ...leaf })),
  );
  const named = (found: typeof fields) => found.map(({ name, path }) => `${name} ${path.join(".")}`);

  it("text with U+0000 or half of a surrogate pair, as a value or as a name, in every field", () => {
    const lenient = fields.filter(({ row, path }) =>
      ["a\0", "\ud800b", { "\0": 1 }].some((odd) => !("fieldErrors" in readInput(row, setAtPath({}, path, odd)))),
    );
    expect(fields.length).toBeGreaterThan(1000);
    expect(named(lenient)).toEqual([]);
  });

  it("days and instants of years that are none", () => {
    const odd = ["0000-01-01", "0000-01-01T00:00:00Z", "0000-01-01T00:00", "0001-01-01T00:00:00+14:00"];
    const lenient = fields.filter(
      ({ leaf, isTime }) =>
        isTime && [...odd, "275760-09-13", "+275760-09-13T00:00:00Z"].some((text) => leaf.safeParse(text).success),
    );
    expect(fields.filter(({ isTime }) => isTime).length).toBeGreaterThan(20);
    expect(named(lenient)).toEqual([]);
  });

  // Sizes of files, which are stored in columns of 64 bits.
  const wide = ["leaving.import bytes", "upgrade.begin bytes", "workorder.addFile bytes"];
  it("whole numbers of more than 32 bits", () => {
    const lenient = fields.filter(
      ({ leaf, isWhole }) => isWhole && [2 ** 31, -(2 ** 31) - 1].some((number) => leaf.safeParse(number).success),
    );
    expect(named(lenient)).toEqual(wide);
  });
});

interface Leaf {
  path: (string | number)[];
  leaf: z.ZodType;
  isTime: boolean;
  isWhole: boolean;
}
/** Every place of an input that holds a single value, with its own schema. */
function schemaLeaves(schema: z.ZodType, path: Leaf["path"] = []): Leaf[] {
  const inside = (inner: unknown, ...more: Leaf["path"]) => schemaLeaves(inner as z.ZodType, [...path, ...more]);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) => inside(inner, name));
  if (schema instanceof z.ZodArray) return inside(schema.element, 0);
  if (schema instanceof z.ZodTuple) return schema.def.items.flatMap((inner, at) => inside(inner, at));
  if (schema instanceof z.ZodRecord) return inside(schema.valueType, "x");
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((inner) => inside(inner));
  if (schema instanceof z.ZodPipe)
    return [...inside(schema.in), ...inside(schema.out)].map((one) => ({ ...one, leaf: schema as z.ZodType }));
  if ("innerType" in schema.def) return inside(schema.def.innerType);
  const format = (schema as { format?: string | null }).format ?? "";
  const isWhole = schema instanceof z.ZodNumber && format !== "" && format !== null;
  return [{ path, leaf: schema, isTime: ["date", "datetime"].includes(format), isWhole }];
}

describe("the generated documents", () => {
  it.each(Object.entries(generatedDocs()))("%s matches the contract", (file, content) => {
    const place = path.join(import.meta.dirname, "../..", file);
    expect(existsSync(place), `${file} is there`).toBe(true);
    expect(readFileSync(place, "utf8")).toBe(content);
  });
});
