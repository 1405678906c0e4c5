import { expect, it } from "vitest";
import { isSameName } from "../domain/match-person-names.ts";
import { toDicomName, matchesName } from "./worklist-entry.ts";

it("writes names as scanners take them, so that what comes back finds its record", () => {
  const names = {
    王小明: "Wang^Xiaoming=王^小明",
    欧阳娜娜: "Ouyang^Nana=欧阳^娜娜",
    "Anna Maria Berg": "Berg^Anna Maria",
    Cher: "Cher",
    "林晓 Lin Xiao": "Xiao^Lin=林晓 Lin Xiao",
  };
  for (const [record, dicom] of Object.entries(names)) {
    expect(toDicomName(record)).toBe(dicom);
    expect(isSameName(dicom, record), record).toBe(true);
  }
  expect(toDicomName("A^B=C\\D")).toBe("D^A B C");
  expect(toDicomName("长".repeat(200)).length).toBeLessThan(400);
});

it("compares names as a worklist query does", () => {
  const name = toDicomName("王小明");
  for (const query of ["", "*", "WANG", "wang^xiaoming", "Wang^X*", "王*", "W?ng^*", "Wang^Xiaoming=王^小明"])
    expect(matchesName(name, query), query).toBe(true);
  for (const query of ["Wan", "Li*", "Wang^Y*", "小*", "(", "W[a"]) expect(matchesName(name, query), query).toBe(false);
});
