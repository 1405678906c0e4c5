import { describe, expect, it } from "vitest";
import { Refused } from "../../platform/http/refuse.ts";
import { schemaUris, toCanonical, userAttributes } from "./attributes.ts";
import type { Document } from "./attributes.ts";
import { parseFilter } from "./filter.ts";
import { applyPatch, parseOperations } from "./patch.ts";

const target = { schema: schemaUris.user, attributes: userAttributes };
const work = { value: "ada@house.test", type: "work", primary: true };
const person = { userName: "ada", active: true, name: { givenName: "Ada" }, emails: [work] };
const patched = (...operations: object[]): Document =>
  applyPatch(person, parseOperations({ Operations: operations }), target);
function refusalIn(work: () => unknown): string {
  try {
    work();
    return "accepted";
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

describe("a PATCH of a SCIM resource", () => {
  it("reads the words True and False that Microsoft Entra sends", () => {
    expect(patched({ op: "Replace", path: "active", value: "False" })).toMatchObject({ active: false });
    expect(patched({ op: "Add", path: "ACTIVE", value: "True" })).toMatchObject({ active: true });
  });

  it("reads a value without a path, as Okta sends it, with paths as its names", () => {
    const changed = patched({
      op: "replace",
      value: { active: false, "name.familyName": "Byron", [`${schemaUris.user}:displayName`]: "Ada B." },
    });
    expect(changed).toMatchObject({
      active: false,
      name: { givenName: "Ada", familyName: "Byron" },
      displayName: "Ada B.",
    });
  });

  it("changes one part of a complex attribute and keeps the others", () => {
    expect(patched({ op: "replace", path: "name", value: { familyName: "Byron" } })).toMatchObject({
      name: { givenName: "Ada", familyName: "Byron" },
    });
    expect(patched({ op: "remove", path: "name.givenName" }).name).toEqual({});
  });

  it("changes an element that a filter selects, and adds it where there is none", () => {
    expect(patched({ op: "Replace", path: 'emails[type eq "work"].value', value: "b@house.test" }).emails).toEqual([
      { ...work, value: "b@house.test" },
    ]);
    expect(patched({ op: "Add", path: 'emails[type eq "home"].value', value: "h@house.test" }).emails).toEqual([
      work,
      { type: "home", value: "h@house.test" },
    ]);
    expect(patched({ op: "Remove", path: 'emails[value eq "ADA@house.test"]' }).emails).toEqual([]);
  });

  it("ignores attributes that Arcada does not keep, also those of extensions", () => {
    const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
    expect(
      patched(
        { op: "Add", path: `${enterprise}:department`, value: "Sales" },
        { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "1" },
        { op: "Replace", value: { title: "Dr", [enterprise]: { department: "Sales" } } },
      ),
    ).toEqual(person);
  });

  it("refuses what it cannot mean", () => {
    expect(refusalIn(() => patched({ op: "remove" }))).toBe("scimTarget");
    expect(refusalIn(() => patched({ op: "move", path: "active" }))).toBe("scimSyntax");
    expect(refusalIn(() => patched({ op: "replace", value: true }))).toBe("scimValue");
    for (const path of ['active[type eq "x"]', "emails[", "emails]", ".", "name.a.b", 'emails[type eq "x"]value'])
      expect(
        refusalIn(() => patched({ op: "replace", path, value: "x" })),
        path,
      ).toBe("scimPath");
    expect(refusalIn(() => patched({ op: "replace", path: "emails[type co w]", value: "x" }))).toBe("scimFilter");
    for (const body of [null, [], {}, { Operations: [] }, { Operations: "x" }, { Operations: [{}] }])
      expect(refusalIn(() => parseOperations(body))).toBe("scimSyntax");
    const many = Array.from({ length: 1001 }, () => ({ op: "remove", path: "name" }));
    expect(refusalIn(() => parseOperations({ Operations: many }))).toBe("scimTooMany");
  });
});

describe("a resource", () => {
  it("is read without regard to the case of its names, and without what is unknown or read-only", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`) as unknown;
    expect(
      toCanonical({ USERNAME: "x", id: "y", deep, Name: { GIVENNAME: "z", deep }, emails: "a@b.test" }, userAttributes),
    ).toEqual({ userName: "x", name: { givenName: "z" }, emails: [{ value: "a@b.test" }] });
  });
});

describe("a filter", () => {
  it("has conditions with eq, joined by and", () => {
    expect(parseFilter('userName eq "a \\"b\\" and c"')).toEqual([{ path: "userName", value: 'a "b" and c' }]);
    expect(parseFilter('emails[type eq "work"].value EQ "x" AND active eq True')).toEqual([
      { path: 'emails[type eq "work"].value', value: "x" },
      { path: "active", value: true },
    ]);
  });

  it("is refused if it is anything else, or too long", () => {
    for (const text of [
      "",
      "userName",
      "userName eq",
      'userName co "x"',
      'userName eq "x',
      "userName eq x",
      'userName eq "x" or id eq "y"',
      'userName eq "x" and',
      '(userName eq "x")',
      'a eq "1" and b eq "2" and c eq "3" and d eq "4"',
      `userName eq "${"x".repeat(500)}"`,
      "[".repeat(400),
    ])
      expect(
        refusalIn(() => parseFilter(text)),
        text,
      ).toBe("scimFilter");
  });
});
