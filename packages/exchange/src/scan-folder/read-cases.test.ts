import { describe, expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { noMapping } from "../lab-case/work-mapping.ts";
import { nameScansForThreeShape } from "../three-shape/three-shape-names.ts";
import { readCases } from "./read-cases.ts";

const source = (path: string, text = "mesh", bytes = text.length) => ({
  path,
  bytes,
  read: () => Promise.resolve(new TextEncoder().encode(text)),
});
const sources = (files: Record<string, string | null>) =>
  Object.entries(files).map(([path, text]) => source(path, text ?? undefined));
const project = (tooth: number, patient = "Hart"): string =>
  `<Treatment><Patient><PatientName>${patient}</PatientName></Patient><Teeth><Tooth><Number>${tooth}</Number><ReconstructionType>AnatomicCrown</ReconstructionType><Material>ZI</Material></Tooth></Teeth></Treatment>`;
const threeShape = (tooth: number): string =>
  `<DentalContainer><Object type="TDM_Container"><Object type="TDM_Item_Order"><Property name="IntOrderID" value="HART_1"/></Object><Object type="TDM_Item_ModelElement"><Property name="ModelElementID" value="m"/></Object><Object type="TDM_Item_ToothElement"><Property name="ModelElementID" value="m"/><Property name="ToothNumber" value="${tooth}"/><Property name="CacheToothTypeClass" value="teCrown"/></Object></Object></DentalContainer>`;
const rolesOf = (found: Awaited<ReturnType<typeof readCases>>[number]) =>
  Object.fromEntries(found.files.map(({ path, role }) => [path.split("/").at(-1), role]));

describe("the cases of a folder", () => {
  it("of exocad: work, files with their roles, and the project itself as a document", async () => {
    const [found, ...others] = await readCases(
      sources({
        "hart/hart.dentalProject": project(16),
        "hart/hart-upperjaw.stl": null,
        "hart/hart-lowerjaw.stl": null,
        "hart/hart-preview.png": null,
        "hart/smile.jpg": null,
        "hart/.DS_Store": null,
      }),
      noMapping,
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({ problem: null, missing: [], content: { items: [{ teeth: [16] }] } });
    expect(rolesOf(present(found))).toEqual({
      "hart.dentalProject": "document",
      "hart-upperjaw.stl": "upperScan",
      "hart-lowerjaw.stl": "lowerScan",
      "smile.jpg": "photo",
    });
    expect(present(found).leftOut).toEqual(["hart/hart-preview.png", "hart/.DS_Store"]);
  });

  it("of 3Shape: preparation and antagonist get their jaws from the teeth, and its own formats stay behind", async () => {
    const [found] = await readCases(
      sources({
        "HART_1/HART_1.xml": threeShape(30),
        "HART_1/Scans/Raw Preparation scan.stl": null,
        "HART_1/Scans/Raw Antagonist scan.stl": null,
        "HART_1/Scans/Raw Preparation scan.dcm": null,
        "HART_1/Materials.xml": "<Materials/>",
        "HART_1/3SCom/Screenshots/1.jpg": null,
      }),
      noMapping,
    );
    expect(present(found).content).toMatchObject({ program: "threeShape", items: [{ teeth: [46] }] });
    expect(rolesOf(present(found))).toEqual({
      "HART_1.xml": "document",
      "Raw Preparation scan.stl": "lowerScan",
      "Raw Antagonist scan.stl": "upperScan",
      "1.jpg": "photo",
    });
    expect(present(found).leftOut).toEqual(["HART_1/Materials.xml", "HART_1/Scans/Raw Preparation scan.dcm"]);
  });

  it.each([
    [
      "Medit",
      ["2026-11-20-Hart-maxillary.obj", "2026-11-20-Hart-mandibular.obj", "2026-11-20-Hart-occlusionfirst.stl"],
    ],
    ["iTero", ["12345_shell_occlusion_u.stl", "12345_shell_occlusion_l.stl", "12345_shell_occlusion_l_bite1.stl"]],
  ])("of %s are one case without a prescription", async (_program, paths) => {
    const found = await readCases(
      paths.map((path) => source(path)),
      noMapping,
    );
    expect(
      found.map(({ content, files }) => [
        content.program,
        files.map(({ role }) => String(role)).toSorted((a, b) => a.localeCompare(b)),
      ]),
    ).toEqual([["scanFolder", ["bite", "lowerScan", "upperScan"]]]);
  });

  it("are two if two patients lie in one folder", async () => {
    const found = await readCases(
      sources({
        "hart.dentalProject": project(16),
        "hart-upperjaw.stl": null,
        "baker.dentalProject": project(36, "Baker"),
        "baker-lowerjaw.stl": null,
      }),
      noMapping,
    );
    expect(found.map(({ name, files }) => [name, files.length])).toEqual([
      ["baker", 2],
      ["hart", 2],
    ]);
  });

  it("say which jaw has no scan, unless a mesh does not say its jaw", async () => {
    const [without] = await readCases(sources({ "a.dentalProject": project(16), "a-lowerjaw.stl": null }), noMapping);
    expect(present(without).missing).toEqual(["upperScan"]);
    const [unclear] = await readCases(sources({ "a.dentalProject": project(16), "a-scan.stl": null }), noMapping);
    expect(unclear).toMatchObject({ missing: [], files: [{ role: null }, { role: "document" }] });
  });

  it.each([
    [
      "defines entities",
      '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Treatment>&b;</Treatment>',
      "hasDocumentType",
    ],
    ["is cut off", "<Treatment><Patient>", "notXml"],
    ["is of another program", "<DentalContainer/>", "notExocad"],
    ["declares an unknown encoding", '<?xml version="1.0" encoding="klingon"?><Treatment/>', "unknownEncoding"],
  ])("keep their files if the project %s", async (_what, text, problem) => {
    const [found] = await readCases(sources({ "a.dentalProject": text, "a-upperjaw.stl": null }), noMapping);
    expect(found).toMatchObject({ problem, content: { items: [] } });
    expect(present(found).files).toHaveLength(2);
  });

  it("never read a project that is larger than any", async () => {
    const huge = { ...source("a.dentalProject", "", 20_000_000), read: () => Promise.reject(new Error("it was read")) };
    expect(await readCases([huge], noMapping)).toMatchObject([{ problem: "tooLarge" }]);
  });
});

describe("the names of scans for 3Shape", () => {
  it("say preparation and antagonist for work in one jaw, else the jaws", () => {
    expect(nameScansForThreeShape([46, 47])).toMatchObject({
      lowerScan: "Raw Preparation scan",
      upperScan: "Raw Antagonist scan",
    });
    expect(nameScansForThreeShape([16, 46])).toMatchObject({ upperScan: "UpperJawScan", lowerScan: "LowerJawScan" });
  });
});
