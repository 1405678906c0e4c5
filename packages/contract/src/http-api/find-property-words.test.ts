import { z } from "zod";
import { describe, expect, it } from "vitest";
import { everyCall } from "../calls.ts";
import { listInputProperties } from "./input-properties.ts";
import { findPropertyKey, findPropertyWords, propertyRows } from "./find-property-words.ts";

const places = everyCall().flatMap(({ name, row }) =>
  listInputProperties(row.input).map((property) => ({ ...property, call: name })),
);
const keys = propertyRows.map(([key]) => key);
const nameOf = ({ call, path }: (typeof places)[number]): string => `${call}:${path.join(".")}`;
const placesByName = Map.groupBy(places, nameOf);

describe("the words about the properties of requests", () => {
  it("describe every property of every call", () => {
    const missing = places.filter(({ call, path }) => !findPropertyWords(call, path)).map(nameOf);
    expect([...new Set(missing)], "write these into a table of packages/contract/src/http-api").toEqual([]);
  });

  it("give an example for every property without properties of its own", () => {
    const missing = places.filter(({ call, path, isLeaf }) => {
      const words = findPropertyWords(call, path);
      return isLeaf && words !== undefined && words.example === undefined;
    });
    expect([...new Set(missing.map(nameOf))]).toEqual([]);
  });

  it("have no row that describes nothing", () => {
    const used = new Set(places.map(({ call, path }) => findPropertyKey(call, path)));
    expect(keys.filter((key) => !used.has(key))).toEqual([]);
  });

  it("have each key once", () => {
    expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([]);
  });

  it("have examples that the property's schema accepts", () => {
    const isAccepted = ({ call, path, schema }: (typeof places)[number]): boolean => {
      const example = findPropertyWords(call, path)?.example;
      return example === undefined || z.safeParse(schema, example).success;
    };
    // A property may occur in several alternatives of a union.
    const refused = [...placesByName].filter(([, alternatives]) => !alternatives.some(isAccepted));
    expect(refused.map(([name]) => name)).toEqual([]);
  });

  it("refer to calls by the names that the calls have", () => {
    const calls = new Set(everyCall().map(({ name }) => name));
    const slices = new Set([...calls].map((name) => name.split(".")[0]));
    const references = propertyRows.flatMap(([, { says }]) =>
      [...says.matchAll(/`(\w+)\.\w+`/g)].flatMap(([quoted, slice]) =>
        slices.has(slice) ? [quoted.slice(1, -1)] : [],
      ),
    );
    expect(references.filter((name) => !calls.has(name))).toEqual([]);
    expect(references).not.toHaveLength(0);
  });

  it("are sentences or phrases that end with a full stop", () => {
    const odd = propertyRows.filter(([, { says }]) => !/^[A-Z`].*[.]$/.test(says) || says.includes("  "));
    expect(odd.map(([key]) => key)).toEqual([]);
  });
});

describe("the choice of words", () => {
  it.each([
    ["order.step", "prescription.items.kind", "order:items.kind"],
    ["order.saveChild", "id", "order.saveChild:id"],
    ["order.detail", "id", "order:id"],
    ["report.save", "form.problems.id", "report:problems.id"],
    ["order.list", "pageSize", "pageSize"],
  ])("of %s for %s is the most specific row, %s", (call, path, key) => {
    expect(findPropertyKey(call, path.split("."))).toBe(key);
  });

  it("finds none for a property that nobody has described", () => {
    expect(findPropertyWords("order.detail", ["colourOfTheCarpet"])).toBeUndefined();
  });
});

describe("the properties of an input", () => {
  it("are found inside lists, unions, records and defaults, and before a transformation", () => {
    const inner = z.object({ one: z.string() });
    const schema = z.object({
      list: z.array(inner).default([]),
      either: z.union([inner, z.object({ two: z.string().transform(Number) })]).nullable(),
      byName: z.preprocess((value) => value, z.record(z.string(), inner)).optional(),
    });
    expect(listInputProperties(schema).map(({ path }) => path.join("."))).toEqual([
      "list",
      "list.one",
      "either",
      "either.one",
      "either.two",
      "byName",
      "byName.one",
    ]);
  });
});
