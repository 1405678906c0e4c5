import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allTeeth, upperTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { ExchangeError } from "../exchange-error.ts";
import type { CaseItem } from "../lab-case/lab-case.ts";
import { noMapping, workMapping } from "../lab-case/work-mapping.ts";
import { childrenOf, readXml, textOf } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/read-xml.ts";
import { readExocadProject } from "./read-exocad-project.ts";
import { writeExocadProject } from "./write-exocad-project.ts";
import type { ExocadOrder } from "./write-exocad-project.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const tooth = (fields: Record<string, string | number | boolean>): string =>
  `<Tooth>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join("")}</Tooth>`;
const project = (teeth: string, more = ""): Uint8Array =>
  utf8(`\uFEFF<?xml version="1.0" encoding="utf-8"?>\r\n<Treatment>
    <DateTime>2026-11-20T09:14:05</DateTime><TrayNo>T-17</TrayNo><Notes>Thin margin</Notes>${more}
    <Practice><PracticeId>4</PracticeId><PracticeName>Morninglight</PracticeName></Practice>
    <Patient><PatientId>M-1001</PatientId><PatientName>Hart</PatientName><PatientFirstName>Amelia</PatientFirstName></Patient>
    <Teeth>${teeth}</Teeth></Treatment>`);
const crown = (number: number, more: Record<string, string | boolean> = {}) =>
  tooth({ Number: number, ReconstructionType: "AnatomicCrown", Material: "ZI", ImplantType: "None", ...more });
const read = (teeth: string, mapping = noMapping) => readExocadProject(project(teeth), "case", mapping);

describe("an exocad project", () => {
  it("becomes an order: patient, practice, day, notes, work, material and shade", () => {
    const found = readExocadProject(
      project(
        crown(16, { Color: "VCL:A2" }) + tooth({ Number: 15, ReconstructionType: "HealthyTooth", Material: "Healthy" }),
      ),
      "2026-11-20_Hart",
    );
    expect(found).toMatchObject({
      program: "exocad",
      name: "2026-11-20_Hart",
      orderNumber: "T-17",
      patient: { number: "M-1001", lastName: "Hart", firstName: "Amelia" },
      practice: "Morninglight",
      date: "2026-11-20",
      notes: "Thin margin",
      caseType: "restoration",
      items: [{ teeth: [16], kind: "crown", material: "zirconia", shade: "A2", pontics: [], remark: null }],
      remarks: [],
    });
  });

  it("joins connected teeth into one bridge, also across the midline, and equal works into one item", () => {
    const pontic = tooth({ Number: 11, ReconstructionType: "AnatomicPontic", Material: "ZI", MesialConnector: "True" });
    const { items } = read(crown(12, { MesialConnector: "true" }) + pontic + crown(21) + crown(36) + crown(46));
    expect(items).toMatchObject([
      { kind: "bridge", teeth: [12, 11, 21], pontics: [11], material: "zirconia" },
      { kind: "crown", teeth: [46, 36] },
    ]);
  });

  it("makes an implant case of a screw-retained crown and of a custom abutment with its own material", () => {
    const { items, caseType, fixType } = read(
      crown(26, { ImplantType: "WithoutAbutmentManual" }) +
        crown(24, { ImplantType: "CustomAbutment", MaterialAbutment: "TI" }),
    );
    expect({ caseType, fixType }).toEqual({ caseType: "implant", fixType: "screw" });
    expect(items).toMatchObject([
      { kind: "crown", teeth: [24, 26] },
      { kind: "customAbutment", teeth: [24], material: "titanium" },
    ]);
  });

  it("keeps the word of work that Arcada has no kind for, and says which teeth a person has to check", () => {
    const { items, remarks } = read(
      tooth({ Number: 16, ReconstructionType: "PrimaryTelescope", Material: "XX9" }) +
        tooth({ Number: 99, ReconstructionType: "AnatomicCrown" }) +
        crown(21) +
        crown(21) +
        crown(44, { MesialConnector: "true", Color: "Z9" }),
    );
    expect(items.map(({ kind, teeth, remark }) => [kind, teeth, remark])).toEqual([
      ["other", [16], "PrimaryTelescope"],
      ["crown", [21, 44], null],
    ]);
    expect(remarks.map(({ kind, teeth, word }) => [kind, teeth, word])).toEqual([
      ["unknownWork", [16], "PrimaryTelescope"],
      ["unknownMaterial", [16], "XX9"],
      ["unknownTooth", [], "99"],
      ["toothTwice", [21], "AnatomicCrown"],
      ["unknownShade", [44], "Z9"],
      ["connectorWithoutNeighbour", [44], null],
    ]);
  });

  it("follows the laboratory's own words before the usual ones", () => {
    const mapping = workMapping.parse({
      materials: { " Katana STML ": "layeredZirconia", zi: null },
      kinds: { PrimaryTelescope: "crown" },
      shades: { "vcl:bl1": "0M1" },
    });
    const { items, remarks } = read(
      tooth({ Number: 16, ReconstructionType: "PrimaryTelescope", MaterialName: "Katana STML", Color: "VCL:BL1" }) +
        crown(21),
      mapping,
    );
    expect(items).toMatchObject([
      { teeth: [16], kind: "crown", material: "layeredZirconia", shade: "0M1", remark: null },
      { teeth: [21], kind: "crown", material: null },
    ]);
    expect(remarks.map(({ kind }) => kind)).toEqual(["unknownMaterial"]);
  });

  it("drops a material that the work cannot have, and the shade of work that nobody sees", () => {
    const { items, remarks } = read(
      tooth({ Number: 11, ReconstructionType: "Veneer", Material: "TI", Color: "A1" }) +
        tooth({ Number: 13, ReconstructionType: "BarPillar", Material: "TI", Color: "A1" }),
    );
    expect(items).toMatchObject([
      { kind: "veneer", material: null, shade: "A1" },
      { kind: "bar", material: "titanium", shade: null },
    ]);
    expect(remarks.map(({ kind }) => kind)).toEqual(["materialNotForWork", "shadeWithoutUse"]);
  });

  it("may have no teeth, no names and a patient number of 0", () => {
    const found = readExocadProject(utf8("<treatment><patient><patientid>0</patientid></patient></treatment>"), "case");
    expect(found).toMatchObject({ items: [], patient: { number: null, lastName: null }, date: null, remarks: [] });
  });

  it("is refused only for being another kind of file", () => {
    expect(() => readExocadProject(utf8("<DentalContainer/>"), "case")).toThrow(ExchangeError);
  });
});

const item = (more: Partial<CaseItem>): CaseItem => ({
  teeth: [16],
  kind: "crown",
  material: "zirconia",
  shade: null,
  stumpShade: null,
  pontics: [],
  remark: null,
  ...more,
});
const order = (items: CaseItem[], more: Partial<ExocadOrder> = {}): ExocadOrder => ({
  patient: { number: "P0000009", lastName: "Hart & Co", firstName: "Amelia" },
  practice: { number: "10000001", name: "Morninglight" },
  date: "2026-11-29",
  orderNumber: "261129-100006",
  notes: "Thin margin",
  items,
  isScrewRetained: false,
  antagonist: "scanned",
  hasScanBodies: false,
  guid: "0b9f8a60-0000-4000-8000-000000000000",
  uniqueId: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  ...more,
});

const listTeeth = (root: XmlElement): XmlElement[] =>
  childrenOf(root, "Teeth").flatMap((one) => childrenOf(one, "Tooth"));

describe("a written exocad project", () => {
  it("reads back as the same work, whatever an order has of crowns, bridges, inlays, veneers and abutments", () => {
    const works = fc.uniqueArray(fc.integer({ min: 0, max: 13 }), { minLength: 1, maxLength: 5 }).chain((places) =>
      fc.record({
        teeth: fc.constant(upperTeeth.filter((_, at) => places.includes(at - 1))),
        kind: fc.constantFrom("crown" as const, "inlay" as const, "veneer" as const),
        shade: fc.constantFrom(null, "A2" as const, "3M2" as const),
      }),
    );
    fc.assert(
      fc.property(works, ({ teeth, kind, shade }) => {
        const wanted = item({ teeth, kind, shade, material: "glassCeramic" });
        const back = readExocadProject(writeExocadProject(order([wanted]), null), "case");
        expect(back.items).toEqual([
          { ...wanted, teeth: teeth.toSorted((a, b) => allTeeth.indexOf(a) - allTeeth.indexOf(b)) },
        ]);
        expect(back).toMatchObject({ patient: { number: "P0000009", lastName: "Hart & Co" }, remarks: [] });
      }),
    );
  });

  it("connects every member of a bridge but the one next to the midline, and names the antagonist", () => {
    const bytes = writeExocadProject(order([item({ kind: "bridge", teeth: [26, 25, 24], pontics: [25] })]), null);
    expect(readExocadProject(bytes, "case").items).toEqual([
      item({ kind: "bridge", teeth: [24, 25, 26], pontics: [25] }),
    ]);
    const teeth = listTeeth(readXml(bytes));
    const words = new Map(teeth.map((one) => [textOf(one, "Number"), textOf(one, "ReconstructionType")]));
    expect(words).toEqual(
      new Map([
        ["26", "AnatomicCrown"],
        ["25", "AnatomicPontic"],
        ["24", "AnatomicCrown"],
        ["36", "Antagonist"],
      ]),
    );
    const connected = teeth.filter((one) => textOf(one, "MesialConnector") === "true");
    expect(connected.map((one) => textOf(one, "Number"))).toEqual(["26", "25"]);
  });

  it("keeps the laboratory's configuration of the template, and takes over nothing of the template's patient", () => {
    const template = project(
      crown(11, { Parameters: "P-CROWN" }) +
        tooth({ Number: 12, ReconstructionType: "HealthyTooth", Parameters: "P-HEALTHY" }),
      "<WorkParams>QUJD</WorkParams><WorkParamsSHA>77</WorkParamsSHA>",
    );
    const bytes = writeExocadProject(order([item({})]), template);
    const root = readXml(bytes);
    expect([textOf(root, "WorkParams"), textOf(root, "WorkParamsSHA")]).toEqual(["QUJD", "77"]);
    const parameters = listTeeth(root).map((one) => textOf(one, "Parameters"));
    expect(parameters).toEqual(["P-CROWN", null]);
    expect(new TextDecoder().decode(bytes)).not.toMatch(/M-1001|T-17|<PatientName>Hart</);
  });

  it("tells in the notes what exocad has no word for, and mills the framework of what is veneered by hand", () => {
    const bytes = writeExocadProject(
      order([item({ kind: "bar", teeth: [33, 43], material: "titanium" }), item({ material: "layeredZirconia" })]),
      null,
    );
    const root = readXml(bytes);
    expect(textOf(root, "Notes")).toBe("Thin margin\n33, 43 · bar · titanium");
    expect(new TextDecoder().decode(bytes)).toContain("<ReconstructionType>Coping</ReconstructionType>");
  });
});
