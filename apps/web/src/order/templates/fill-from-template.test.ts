import { expect, it } from "vitest";
import { templateContent } from "@arcada/contract/order/template.calls";
import { dayAfter, createEmptyDraft } from "../form/order-draft.ts";
import type { Draft } from "../form/order-draft.ts";
import {
  applyDefaults,
  toTemplateContent,
  findDefaultTemplate,
  fillFromTemplate,
  findEditedFields,
} from "./fill-from-template.ts";

const now = new Date(2030, 4, 1);
const content = templateContent.parse({
  caseType: "implant",
  workKinds: ["design"],
  instructions: "Screw channel lingual",
  maskName: true,
  dueDays: 10,
});
const crown: Draft["items"][number] = {
  teeth: [11],
  kind: "crown",
  material: null,
  shade: null,
  stumpShade: null,
  pontics: [],
  remark: null,
};

it("fills empty fields and never overwrites what was typed", () => {
  const typed = { ...createEmptyDraft("p", now), instructions: "Mine", dueDate: "2030-05-03" };
  const written = new Set(findEditedFields(typed));
  expect(fillFromTemplate(typed, content, (field) => !written.has(field), now)).toMatchObject({
    caseType: "implant",
    schemeRequired: true,
    workKinds: ["design"],
    maskName: true,
  });
  expect(fillFromTemplate(typed, content, (field) => !written.has(field), now)).not.toHaveProperty("instructions");
  expect(fillFromTemplate(typed, content, (field) => !written.has(field), now)).not.toHaveProperty("dueDate");
  expect(fillFromTemplate(typed, content, () => true, now)).toMatchObject({
    instructions: "Screw channel lingual",
    dueDate: dayAfter(now, 10),
  });
});

it("keeps the case type once teeth are selected", () => {
  const marked = { ...createEmptyDraft("p", now), items: [crown] };
  expect(fillFromTemplate(marked, content, (field) => field !== "items", now)).not.toHaveProperty("caseType");
});

it("applies the default kind and material to the first item if they suit the case type", () => {
  const defaults = { kind: "veneer" as const, material: "glassCeramic" as const, shadeGuide: null, shade: null };
  expect(applyDefaults([crown], defaults, "restoration")).toMatchObject([{ kind: "veneer", material: "glassCeramic" }]);
  expect(applyDefaults([crown], defaults, "implant")).toMatchObject([{ kind: "crown", material: "glassCeramic" }]);
  expect(applyDefaults([{ ...crown, kind: "bridge" }], defaults, "restoration")).toMatchObject([{ kind: "bridge" }]);
});

it("creates a template from a draft, without its patient and teeth", () => {
  const draft: Draft = {
    ...createEmptyDraft("p", now),
    items: [{ ...crown, material: "zirconia", shade: "3M2" }],
    instructions: "Light contacts",
  };
  expect(toTemplateContent(draft, now)).toMatchObject({
    caseType: "restoration",
    kind: "crown",
    material: "zirconia",
    shadeGuide: "vita3dMaster",
    instructions: "Light contacts",
    dueDays: 7,
  });
});

it("prefers the user's own default for a lab to the clinic's", () => {
  const one = { id: "a", name: "House", forAll: true, targetIid: "lab", isDefault: true, content, mayChange: false };
  const mine = { ...one, id: "b", forAll: false };
  expect(findDefaultTemplate([one, mine], "lab")?.id).toBe("b");
  expect(findDefaultTemplate([one], "other")).toBeUndefined();
  expect(findDefaultTemplate([{ ...one, isDefault: false }], "lab")).toBeUndefined();
});
