import { describe, expect, it } from "vitest";
import { findCaseFileRole, isIgnoredFile } from "./case-file-role.ts";
import { groupCaseFiles } from "./group-case-files.ts";

describe("the role of a file", () => {
  it.each([
    ["exocad", "2026-11-20_Hart-upperjaw.stl", "upperScan"],
    ["exocad before preparation", "2026-11-20_Hart-lowerjaw-situ.ply", "lowerScan"],
    ["Shining 3D", "case-UpperJaw.obj", "upperScan"],
    ["Shining 3D, closed", "case-TotalJaw0.stl", "bite"],
    ["Medit", "2026-11-20-Hart-maxillary.obj", "upperScan"],
    ["Medit, closed", "2026-11-20-Hart-occlusionfirst.stl", "bite"],
    ["iTero", "12345_shell_occlusion_u.stl", "upperScan"],
    ["iTero, lower", "12345_shell_occlusion_l.stl", "lowerScan"],
    ["iTero, closed", "12345_shell_occlusion_l_bite1.stl", "bite"],
    ["3Shape", "Scans/Upper/HART UpperJawScan.stl", "upperScan"],
    ["3Shape, closed", "HART BiteScan.stl", "bite"],
    ["a photograph", "smile.JPG", "photo"],
    ["a prescription", "order.pdf", "document"],
    ["a mesh that does not say its jaw", "Raw Preparation scan.stl", null],
    ["a mesh that says both jaws", "upper-and-lower.stl", null],
  ])("follows the name that %s gives", (_program, name, role) => {
    expect(findCaseFileRole(name)?.role ?? null).toBe(role);
  });

  it("of a design comes with its tooth, and a preview is none", () => {
    expect(findCaseFileRole("2026-11-20_Hart-16-crown_cad.stl")).toEqual({ role: "design", tooth: 16 });
    expect(findCaseFileRole("Hart-preview_cad.stl")).toEqual({ role: "document", tooth: null });
  });

  it("is not asked of backups, hidden files and what is still being written", () => {
    for (const path of ["HART/backup/HART.xml", ".DS_Store", "a.stl.part", "HART/x.stCopy"])
      expect(isIgnoredFile(path), path).toBe(true);
    expect(isIgnoredFile("HART/Scans/upper.stl")).toBe(false);
  });
});

describe("the files of a folder", () => {
  const names = (paths: string[]) =>
    groupCaseFiles(paths).map(({ name, project, paths: own }) => [name, project?.program ?? null, own]);

  it("divide by project, also if one project's name begins another's", () => {
    expect(
      names([
        "a.dentalProject",
        "a-upperjaw.stl",
        "a-2.dentalProject",
        "a-2-upperjaw.stl",
        "a-16-crown_cad.stl",
        "ab-lowerjaw.stl",
      ]),
    ).toEqual([
      ["a", "exocad", ["a-16-crown_cad.stl", "a-upperjaw.stl", "a.dentalProject"]],
      ["a-2", "exocad", ["a-2-upperjaw.stl", "a-2.dentalProject"]],
      ["ab", null, ["ab-lowerjaw.stl"]],
    ]);
  });

  it("of a patient whose name begins like another's project stay apart from it", () => {
    expect(
      names(["Smith.dentalProject", "Smith-upperjaw.stl", "Smith_Anna-upperjaw.stl", "old/Smith-lowerjaw.stl"]),
    ).toEqual([
      ["Smith", "exocad", ["Smith-upperjaw.stl", "Smith.dentalProject"]],
      ["Smith_Anna", null, ["Smith_Anna-upperjaw.stl"]],
      ["Smith", null, ["old/Smith-lowerjaw.stl"]],
    ]);
  });

  it("are one case below an order of 3Shape, whatever their names", () => {
    expect(
      names(["HART_1/HART_1.xml", "HART_1/Scans/Raw Preparation scan.dcm", "HART_1/Materials.xml", "other.pdf"]),
    ).toEqual([
      ["HART_1", "threeShape", ["HART_1/HART_1.xml", "HART_1/Materials.xml", "HART_1/Scans/Raw Preparation scan.dcm"]],
      ["", null, ["other.pdf"]],
    ]);
  });

  it("of two patients in one folder stay apart by the name before the jaw", () => {
    expect(names(["2026-Hart-maxillary.obj", "2026-Hart-mandibular.obj", "2026-Lee-maxillary.obj"])).toEqual([
      ["2026-Hart", null, ["2026-Hart-mandibular.obj", "2026-Hart-maxillary.obj"]],
      ["2026-Lee", null, ["2026-Lee-maxillary.obj"]],
    ]);
  });
});
