import { expect, it } from "vitest";
import { templateContent } from "@arcada/contract/order/template.calls";
import { dayAfter, emptyDraft } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { begunWith, contentOf, defaultFor, filledBy, writtenIn } from "./templates.ts";

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

it("fills what was left open and never writes over what was typed", () => {
  const typed = { ...emptyDraft("p", now), instructions: "Mine", dueDate: "2030-05-03" };
  const written = new Set(writtenIn(typed));
  expect(filledBy(typed, content, (field) => !written.has(field), now)).toMatchObject({
    caseType: "implant",
    schemeRequired: true,
    workKinds: ["design"],
    maskName: true,
  });
  expect(filledBy(typed, content, (field) => !written.has(field), now)).not.toHaveProperty("instructions");
  expect(filledBy(typed, content, (field) => !written.has(field), now)).not.toHaveProperty("dueDate");
  expect(filledBy(typed, content, () => true, now)).toMatchObject({
    instructions: "Screw channel lingual",
    dueDate: dayAfter(now, 10),
  });
});

it("leaves the case alone once teeth are marked", () => {
  const marked = { ...emptyDraft("p", now), items: [crown] };
  expect(filledBy(marked, content, (field) => field !== "items", now)).not.toHaveProperty("caseType");
});

it("begins the first item as usual, as far as the case knows it", () => {
  const usual = { kind: "veneer" as const, material: "glassCeramic" as const, shadeGuide: null };
  expect(begunWith([crown], usual, "restoration")).toMatchObject([{ kind: "veneer", material: "glassCeramic" }]);
  expect(begunWith([crown], usual, "implant")).toMatchObject([{ kind: "crown", material: "glassCeramic" }]);
  expect(begunWith([{ ...crown, kind: "bridge" }], usual, "restoration")).toMatchObject([{ kind: "bridge" }]);
});

it("makes of a draft what another like it begins with, its patient and teeth left out", () => {
  const draft: Draft = {
    ...emptyDraft("p", now),
    items: [{ ...crown, material: "zirconia", shade: "3M2" }],
    instructions: "Light contacts",
  };
  expect(contentOf(draft, now)).toMatchObject({
    caseType: "restoration",
    kind: "crown",
    material: "zirconia",
    shadeGuide: "vita3dMaster",
    instructions: "Light contacts",
    dueDays: 7,
  });
});

it("prefers one's own default for a lab to the clinic's", () => {
  const one = { id: "a", name: "House", forAll: true, targetIid: "lab", isDefault: true, content, mayChange: false };
  const mine = { ...one, id: "b", forAll: false };
  expect(defaultFor([one, mine], "lab")?.id).toBe("b");
  expect(defaultFor([one], "other")).toBeUndefined();
  expect(defaultFor([{ ...one, isDefault: false }], "lab")).toBeUndefined();
});
