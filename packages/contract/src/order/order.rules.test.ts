import { describe, expect, it } from "vitest";
import { nextStateAfterScheme, endsDigitally, missingFor, nextStateAfterAcceptance } from "./order.rules.ts";
import type { Prescription } from "./order.rules.ts";

const crown = { teeth: [11], kind: "crown", material: "zirconia", shade: "A2", remark: null, pontics: [] };
const empty: Prescription = {
  caseType: "restoration",
  items: [],
  workKinds: [],
  jaws: [],
  implantSystem: null,
  fixType: null,
  instructions: null,
  targetIid: null,
  dueDate: null,
  noDigitalFiles: false,
};
const sendable = { ...empty, workKinds: ["design"], targetIid: "lab", dueDate: "2030-01-01" };
const scans = (...roles: string[]) => roles.map((role) => ({ role }));

describe("the missing fields of an order", () => {
  it("include every field of an empty restoration", () => {
    expect(missingFor(empty, [])).toEqual(["targetIid", "dueDate", "workKinds", "files", "items", "scan"]);
  });

  it("are none for a crown with a scan, else tooth, kind and material", () => {
    expect(missingFor({ ...sendable, items: [crown] }, scans("upperScan"))).toEqual([]);
    expect(
      missingFor({ ...sendable, items: [{ ...crown, teeth: [], kind: "", material: null }] }, scans("upperScan")),
    ).toEqual(["teeth", "kind", "material"]);
  });

  it("do not include scans if there is a physical impression", () => {
    expect(missingFor({ ...sendable, items: [crown], noDigitalFiles: true }, [])).toEqual([]);
    expect(missingFor({ ...sendable, items: [crown] }, scans("photo"))).toEqual(["scan"]);
  });

  it("include the abutments of a bridge without one, and its teeth unless it spans at least two", () => {
    const bridge = { ...crown, kind: "bridge", teeth: [11, 12], pontics: [12] };
    const lacks = (item: typeof bridge) => missingFor({ ...sendable, items: [item] }, scans("upperScan"));
    expect(lacks(bridge)).toEqual([]);
    expect(lacks({ ...bridge, teeth: [11], pontics: [] })).toEqual(["bridgeTeeth"]);
    expect(lacks({ ...bridge, pontics: [11, 12] })).toEqual(["bridgeAbutments"]);
  });

  it("include an implant's system and fixation, and a scan or a note", () => {
    const implant = { ...sendable, caseType: "implant" as const, items: [crown] };
    expect(missingFor(implant, scans("photo"))).toEqual(["implantSystem", "fixType", "scanOrNote"]);
    expect(
      missingFor(
        { ...implant, implantSystem: "S", fixType: "screw", instructions: "impression follows" },
        scans("photo"),
      ),
    ).toEqual([]);
  });

  it("include jaws, both arches and instructions in orthodontics", () => {
    const ortho = { ...sendable, caseType: "orthodontics" as const };
    expect(missingFor(ortho, scans("upperScan"))).toEqual(["jaws", "bothArches", "instructions"]);
    expect(missingFor({ ...ortho, jaws: ["maxilla"], instructions: "align" }, scans("upperScan", "lowerScan"))).toEqual(
      [],
    );
  });

  it("include instructions of fewer than ten characters in any other case, blanks not counted", () => {
    const other = { ...sendable, caseType: "other" as const };
    expect(missingFor({ ...other, instructions: "123456789 " }, scans("document"))).toEqual(["instructions"]);
    expect(missingFor({ ...other, instructions: "1234567890" }, scans("document"))).toEqual([]);
  });
});

describe("the route of an accepted order", () => {
  it("goes by scheme, then design, then making, as far as each is wanted", () => {
    expect(nextStateAfterAcceptance({ schemeRequired: true, workKinds: ["machining"] })).toBe("awaiting_scheme");
    expect(nextStateAfterAcceptance({ schemeRequired: false, workKinds: ["design", "machining"] })).toBe(
      "awaiting_design",
    );
    expect(nextStateAfterAcceptance({ schemeRequired: false, workKinds: ["machining"] })).toBe("awaiting_dispatch");
    expect(nextStateAfterScheme({ workKinds: ["machining"] })).toBe("awaiting_dispatch");
  });

  it("ends digitally only when nothing is machined", () => {
    expect(
      [["design"], ["design", "machining"], ["machining"]].map((workKinds) => endsDigitally({ workKinds })),
    ).toEqual([true, false, false]);
  });
});
