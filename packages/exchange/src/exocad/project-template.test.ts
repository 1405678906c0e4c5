import { describe, expect, it } from "vitest";
import type { LabWord } from "@arcada/contract/order/lab-program.calls";
import { toProgramWords, toWorkMapping } from "../lab-case/lab-words.ts";
import type { CaseItem } from "../lab-case/lab-case.ts";
import { childrenOf, readXml, textOf } from "../xml/read-xml.ts";
import { makeExocadTemplate } from "./project-template.ts";
import { readExocadProject } from "./read-exocad-project.ts";
import { writeExocadProject } from "./write-exocad-project.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const ownProject = utf8(`<?xml version="1.0"?><Treatment UseRecipientMaterialConfiguration="true">
  <DateTime>2026-10-01T08:00:00</DateTime><TrayNo>T-4</TrayNo><Notes>Call Mrs Baker</Notes>
  <ProjectGUID>8d1f</ProjectGUID><ProjectUniqueId>QWERTYUIOPASDFGHJKLZXCVBNM</ProjectUniqueId>
  <WorkParams>UEFDS0VE</WorkParams><WorkParamsSHA>0f9a</WorkParamsSHA><DentalDBProductName>DentalDB</DentalDBProductName>
  <ScannerLabel>Baker, Anna</ScannerLabel><ArchivePath>D:\\cases\\baker</ArchivePath>
  <Practice><PracticeId>3</PracticeId><PracticeName>Harbour Dental</PracticeName></Practice>
  <Patient><PatientId>P-77</PatientId><PatientName>Baker</PatientName><PatientFirstName>Anna</PatientFirstName></Patient>
  <Teeth>
    <Tooth><Number>16</Number><ReconstructionType>AnatomicCrown</ReconstructionType><Material>ZI</Material><Parameters>CROWN</Parameters><SituScan>true</SituScan></Tooth>
    <Tooth><Number>26</Number><ReconstructionType>AnatomicCrown</ReconstructionType><Parameters>OTHER</Parameters></Tooth>
    <Tooth><Number>46</Number><ReconstructionType>Antagonist</ReconstructionType><Parameters>OPPOSITE</Parameters></Tooth>
  </Teeth></Treatment>`);

const item: CaseItem = {
  teeth: [11],
  kind: "crown",
  material: "layeredZirconia",
  shade: "A2",
  stumpShade: null,
  pontics: [],
  remark: null,
};
const order = {
  patient: { number: "P0000009", lastName: "Hart", firstName: "Amelia" },
  practice: { number: "10000001", name: "Morninglight" },
  date: "2026-11-29",
  orderNumber: "261129-100006",
  notes: "",
  isScrewRetained: false,
  antagonist: "scanned" as const,
  hasScanBodies: false,
  guid: "0b9f8a60-0000-4000-8000-000000000000",
  uniqueId: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
};

describe("a template of a laboratory", () => {
  it("keeps the settings of the installation and one tooth of each kind", () => {
    const { bytes, hasMaterials, kinds } = makeExocadTemplate(ownProject);
    const root = readXml(bytes);
    expect({ hasMaterials, kinds }).toEqual({ hasMaterials: true, kinds: ["AnatomicCrown", "Antagonist"] });
    expect([textOf(root, "WorkParams"), textOf(root, "WorkParamsSHA")]).toEqual(["UEFDS0VE", "0f9a"]);
    expect(root.attributes).toEqual({ UseRecipientMaterialConfiguration: "true" });
  });

  it("keeps nothing of its own patient, practice, notes, numbers and folders, also in elements that nobody knows", () => {
    expect(decode(makeExocadTemplate(ownProject).bytes)).not.toMatch(
      /baker|anna|harbour|P-77|T-4|8d1f|QWERTY|2026-10|SituScan|D:/i,
    );
  });

  it("is refused for being another kind of file, or a file with entities", () => {
    const refused = (text: string, problem: string) =>
      expect(() => makeExocadTemplate(utf8(text))).toThrow(expect.objectContaining({ problem }));
    refused("<DentalContainer/>", "notExocad");
    refused('<!DOCTYPE x [<!ENTITY a "b">]><Treatment>&a;</Treatment>', "hasDocumentType");
  });

  it("gives a project with its settings, the order's patient, and numbers of its own", () => {
    const bytes = writeExocadProject(
      { ...order, items: [{ ...item, material: "zirconia" }] },
      makeExocadTemplate(ownProject).bytes,
    );
    const root = readXml(bytes);
    expect(textOf(root, "WorkParams")).toBe("UEFDS0VE");
    expect(textOf(root, "ProjectGUID")).toBe(order.guid);
    expect(textOf(root, "ProjectUniqueId")).toBe(order.uniqueId);
    const teeth = childrenOf(root, "Teeth").flatMap((one) => childrenOf(one, "Tooth"));
    expect(teeth.map((one) => [textOf(one, "Number"), textOf(one, "Parameters")])).toEqual([
      ["11", "CROWN"],
      ["41", "OPPOSITE"],
    ]);
    expect(readExocadProject(bytes, "case")).toMatchObject({
      patient: { number: "P0000009", lastName: "Hart", firstName: "Amelia" },
      items: [{ ...item, material: "zirconia" }],
      remarks: [],
    });
  });
});

describe("the words of a laboratory", () => {
  const words: LabWord[] = [
    { list: "materials", word: "Katana STML", code: "ZI", means: "layeredZirconia" },
    { list: "materials", word: "Katana HT", code: "ZI", means: "zirconia" },
    { list: "materials", word: "Amber Mill", code: "LD", means: "glassCeramic" },
    { list: "shades", word: "VCL:A2", means: "A2" },
    { list: "kinds", word: "PrimaryTelescope", means: "crown" },
    { list: "kinds", word: "CustomBar", means: "bar" },
    { list: "kinds", word: "teSplint", means: "other" },
  ];

  it("are written into a project and read back as the same order", () => {
    const items: CaseItem[] = [
      item,
      { ...item, teeth: [13], material: "zirconia" },
      { ...item, teeth: [26], material: "glassCeramic" },
      { ...item, teeth: [35], kind: "bar", material: "titanium", shade: null },
    ];
    const bytes = writeExocadProject({ ...order, items }, null, toProgramWords(words));
    const text = decode(bytes);
    expect(text).toContain("<MaterialName>Katana STML</MaterialName>");
    expect(text).toContain("<Material>LD</Material>");
    expect(text).toContain("<Color>VCL:A2</Color>");
    expect(text).toContain("<ReconstructionType>CustomBar</ReconstructionType>");
    const back = readExocadProject(bytes, "case", toWorkMapping(words));
    expect(back.items.map(({ teeth, kind, material, shade }) => [teeth, kind, material, shade])).toEqual(
      items.map(({ teeth, kind, material, shade }) => [teeth, kind, material, shade]),
    );
  });

  it("do not turn every crown into a telescope, and write no word of 3Shape into exocad", () => {
    const items: CaseItem[] = [
      { ...item, material: "zirconia" },
      { ...item, teeth: [26], kind: "other", material: null },
    ];
    const text = decode(writeExocadProject({ ...order, items }, null, toProgramWords(words)));
    expect(text).toContain("<ReconstructionType>AnatomicCrown</ReconstructionType>");
    expect(text).not.toMatch(/PrimaryTelescope|teSplint/);
  });

  it("read a code only where it has one meaning", () => {
    expect(toWorkMapping(words).materials).toEqual({
      "katana stml": "layeredZirconia",
      "katana ht": "zirconia",
      "amber mill": "glassCeramic",
      ld: "glassCeramic",
    });
  });
});
