import { describe, expect, it } from "vitest";
import { isFoundBy, searchColumns, searchTerms, sortByMatch } from "./search-terms.ts";

const finds = (typed: string, name: string, more: string[] = []): boolean =>
  isFoundBy(typed, searchColumns({ name, numbers: ["P0000042", ...more] }));

describe("the search for patients", () => {
  it.each([
    ["王", "王小明"],
    ["小明", "王小明"],
    ["王小明", "王小明"],
    ["wangxiao", "王小明"],
    ["xiao", "王小明"],
    ["wxm", "王小明"],
    ["WX", "王小明"],
    ["zeng", "曾志伟"],
    ["smi", "John Smith"],
    ["smith john", "John Smith"],
    ["jo", "John Smith"],
    ["muller", "Jürgen Müller"],
    ["娜 nana", "欧阳娜娜 Nana"],
    ["𠮷野", "𠮷野"],
  ])("finds by %s the patient %s", (typed, name) => expect(finds(typed, name)).toBe(true));

  it.each([
    ["明小", "王小明"],
    ["王明", "王小明"],
    ["mx", "王小明"],
    ["hn", "John Smith"],
    ["smith mary", "John Smith"],
    ["100%", "John Smith"],
  ])("does not find by %s the patient %s", (typed, name) => expect(finds(typed, name)).toBe(false));

  it("finds by numbers as they are written and as they are dictated", () => {
    const more = ["138-0013 8000", "K2024/7"];
    for (const typed of ["13800138", "138-0013", "42", "p0000042", "１３８００", "k2024"])
      expect(finds(typed, "王小明", more), typed).toBe(true);
  });

  it("treats the wildcards of LIKE literally", () => {
    expect(searchTerms("a_b%c").patterns).toEqual(["%a\\_b\\%c%"]);
  });
});

describe("the order of matches", () => {
  const sorted = (typed: string, ...names: string[]) =>
    sortByMatch(
      typed,
      names.map((name) => ({ name, ...searchColumns({ name, numbers: [] }) })),
    ).map(({ name }) => name);

  it("begins with exact names, then words that begin with the text, and keeps the order otherwise", () => {
    expect(sorted("ann", "Joanna Lee", "Lee Anna", "Annika", "Ann")).toEqual([
      "Ann",
      "Lee Anna",
      "Annika",
      "Joanna Lee",
    ]);
    expect(sorted("wangfang", "李王芳", "王芳芳", "王芳")).toEqual(["王芳", "王芳芳", "李王芳"]);
  });
});
