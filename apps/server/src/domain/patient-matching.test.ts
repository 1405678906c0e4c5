import { describe, expect, it } from "vitest";
import { rankCandidates, findCertainMatch, type Person } from "./patient-matching.ts";

const person = (id: string, name: string, birthDate: string | null, entryNumber: string | null = null): Person => ({
  id,
  number: `P000000${id}`,
  entryNumber,
  name,
  sex: "male",
  birthDate,
});
const wang = person("1", "王小明", "1990-01-01", "A-7");
const namesake = person("2", "王小明", "1990-01-01");
const li = person("3", "李四", "1990-01-01");
const files = (name: string, number = "", birthDate: string | null = null) => ({ name, number, birthDate });

describe("matching files to a patient", () => {
  it.each([
    ["our number", files("", "P0000001"), "number"],
    ["the entry number, however it is written", files("WANG^XIAOMING=王^小明", " a-7 "), "number"],
    ["name and birth date in Chinese", files("王^小明", "", "1990-01-01"), "name"],
    [
      "name and birth date in pinyin, beside the device's own number",
      files("Wang^Xiaoming", "9", "1990-01-01"),
      "name",
    ],
    ["name and birth date where the number is somebody else's", files("王小明", "P0000003", "1990-01-01"), "name"],
  ])("is certain by %s", (_, named, by) => expect(findCertainMatch(named, [wang, li])).toEqual({ person: wang, by }));

  it.each([
    ["a name without a birth date", files("王^小明")],
    ["another birth date", files("王^小明", "", "1991-01-01")],
    ["a number that the name contradicts", files("Zhao^Liu", "P0000001")],
    ["a number that the birth date contradicts", files("", "P0000001", "2001-01-01")],
    ["a birth date alone", files("", "", "1990-01-01")],
    ["nothing", files("")],
  ])("is not certain by %s", (_, named) => expect(findCertainMatch(named, [wang, li])).toBeNull());

  it("is never certain if two patients match", () => {
    expect(findCertainMatch(files("王^小明", "", "1990-01-01"), [wang, namesake])).toBeNull();
    expect(findCertainMatch(files("王^小明", "A-7", "1990-01-01"), [wang, namesake])).toEqual({
      person: wang,
      by: "number",
    });
  });

  it("ranks the possible patients, the likeliest first", () => {
    const found = rankCandidates(files("王^小明", "P0000003", "1990-01-01"), [li, namesake, wang]);
    expect(found.map(({ id, agrees }) => [id, ...agrees])).toEqual([
      ["3", "number", "birthDate"],
      ["2", "name", "birthDate"],
      ["1", "name", "birthDate"],
    ]);
    expect(rankCandidates(files("赵六", "", "1990-01-01"), [wang, li])).toEqual([]);
  });
});
