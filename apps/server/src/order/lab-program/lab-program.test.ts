import { beforeAll, describe, expect, it } from "vitest";
import type { LabWord } from "@arcada/contract/order/lab-program.calls";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";

const words: LabWord[] = [
  { list: "materials", word: "Katana STML", code: "ZI", means: "layeredZirconia" },
  { list: "shades", word: "VCL:BL1", means: null },
];
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const ownProject = `<Treatment><WorkParams>UEFDS0VE</WorkParams><Patient><PatientName>Bakerman</PatientName></Patient>
  <Teeth><Tooth><Number>16</Number><ReconstructionType>AnatomicCrown</ReconstructionType><Parameters>P</Parameters></Tooth></Teeth></Treatment>`;

let env: TestSetup;
beforeAll(async () => {
  env = await setup();
});

describe("the words of a laboratory", () => {
  it("are kept with a version, and read by the laboratory and by the clinics that are connected with it", async () => {
    const { lab, designer, clinic } = env;
    expect(await lab.call("order.labProgram", {})).toMatchObject({ words: [], version: 0, mayChange: true });
    const saved = await lab.call("order.saveLabWords", { words, version: 0 });
    expect(saved).toMatchObject({ words, version: 1 });
    expect(await designer.call("order.labProgram", {})).toMatchObject({ words, mayChange: false });
    expect(await clinic.call("order.labWords", { labId: lab.iid })).toEqual(words);
  });

  it("are not replaced by somebody who has not seen the last change", async () => {
    const { lab } = env;
    const { version } = await lab.call("order.labProgram", {});
    await lab.call("order.saveLabWords", { words, version });
    expect(refusalOf(await lab.ask("order.saveLabWords", { words: [], version }))).toBe("labWordsChanged");
    expect(refusalOf(await lab.ask("order.saveLabWords", { words: [], version: 0 }))).toBe("labWordsChanged");
  });

  it("are nobody else's: neither a member changes them, nor does a stranger read them", async () => {
    const { lab, designer } = env;
    const stranger = await setup();
    expect(refusalOf(await designer.ask("order.saveLabWords", { words: [], version: 1 }))).toBe("notAllowed");
    expect(await stranger.clinic.call("order.labWords", { labId: lab.iid })).toEqual([]);
  });
});

describe("the project template of a laboratory", () => {
  it("is kept without its patient, described to the laboratory, and removed again", async () => {
    const { lab } = env;
    const saved = await lab.call("order.saveLabTemplate", {
      template: { name: "own.dentalProject", content: base64(ownProject) },
    });
    expect(saved.template).toMatchObject({ name: "own.dentalProject", hasMaterials: true, kinds: ["AnatomicCrown"] });
    const removed = await lab.call("order.saveLabTemplate", { template: null });
    expect(removed.template).toBeNull();
  });

  it.each([
    ["another program's file", "<DentalContainer/>"],
    ["a file with entities", '<!DOCTYPE a [<!ENTITY a "b">]><Treatment>&a;</Treatment>'],
    ["no XML at all", "PK\u0003\u0004"],
  ])("is refused if it is %s", async (_what, text) => {
    const template = { name: "own.dentalProject", content: base64(text) };
    expect(refusalOf(await env.lab.ask("order.saveLabTemplate", { template }))).toBe("labTemplateUnreadable");
  });
});
