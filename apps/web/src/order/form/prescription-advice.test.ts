import { expect, it } from "vitest";
import { findAdvice } from "./prescription-advice.ts";
import { dayAfter, createEmptyDraft } from "./order-draft.ts";
import type { Draft, FileRole } from "./order-draft.ts";

const crown: Draft["items"][number] = {
  teeth: [11],
  kind: "crown",
  material: "zirconia",
  shade: null,
  stumpShade: null,
  pontics: [],
  remark: null,
};
const draft = (change: Partial<Draft> = {}): Draft => ({ ...createEmptyDraft("p"), ...change });
const material = (...roles: FileRole[]) => ({ roles: roles.map((role) => ({ role })), studies: [] });

it("asks a restoration for shade, antagonist and a due day that can be kept", () => {
  const bare = draft({ items: [crown], dueDate: dayAfter(new Date(), 2) });
  expect(findAdvice(bare, material("upperScan"))).toEqual(["shade", "antagonist", "dueSoon"]);
  expect(findAdvice({ ...bare, antagonist: "none" }, material("upperScan"))).toEqual(["shade", "dueSoon"]);
  expect(findAdvice(draft({ items: [crown] }), material("upperScan", "lowerScan"))).toEqual(["shade", "bite"]);
});

it("asks for the stump's shade only where it shines through", () => {
  const veneer = { ...crown, shade: "A2" as const, kind: "veneer" as const, material: "glassCeramic" as const };
  expect(findAdvice(draft({ items: [veneer] }), material())).toEqual(["stumpShade"]);
  expect(findAdvice(draft({ items: [{ ...veneer, stumpShade: "ND3" }] }), material())).toEqual([]);
});

it("asks an implant for CT, gingiva mask and the torque of a screw, and orthodontics for bite, ceph and photographs", () => {
  const implant = draft({ caseType: "implant", items: [{ ...crown, kind: "customAbutment" }], fixType: "screw" });
  expect(findAdvice(implant, material())).toEqual(["ct", "gingiva", "torque"]);
  expect(findAdvice({ ...implant, fixType: "cement", gingiva: "byLab" }, material("ct"))).toEqual([]);
  const braces = draft({ caseType: "orthodontics", studies: ["c"] });
  expect(findAdvice(braces, material())).toEqual(["bite", "ceph", "photo"]);
  const withCeph = { ...material("bite", "photo"), studies: [{ id: "c", kind: "lateralCeph" as const }] };
  expect(findAdvice(braces, withCeph)).toEqual([]);
});
