import { expect, it } from "vitest";
import { adviceFor } from "./advice.ts";
import { dayAfter, emptyDraft } from "./draft.ts";
import type { Draft, FileRole } from "./draft.ts";

const crown: Draft["items"][number] = {
  teeth: [11],
  kind: "crown",
  material: "zirconia",
  shade: null,
  stumpShade: null,
  pontics: [],
  remark: null,
};
const draft = (change: Partial<Draft> = {}): Draft => ({ ...emptyDraft("p"), ...change });
const along = (...roles: FileRole[]) => ({ roles: roles.map((role) => ({ role })), studies: [] });

it("asks a restoration for shade, antagonist and a due day that can be kept", () => {
  const bare = draft({ items: [crown], dueDate: dayAfter(new Date(), 2) });
  expect(adviceFor(bare, along("upperScan"))).toEqual(["shade", "antagonist", "dueSoon"]);
  expect(adviceFor({ ...bare, antagonist: "none" }, along("upperScan"))).toEqual(["shade", "dueSoon"]);
  expect(adviceFor(draft({ items: [crown] }), along("upperScan", "lowerScan"))).toEqual(["shade", "bite"]);
});

it("asks for the stump's shade only where it shines through", () => {
  const veneer = { ...crown, shade: "A2" as const, kind: "veneer" as const, material: "glassCeramic" as const };
  expect(adviceFor(draft({ items: [veneer] }), along())).toEqual(["stumpShade"]);
  expect(adviceFor(draft({ items: [{ ...veneer, stumpShade: "ND3" }] }), along())).toEqual([]);
});

it("asks an implant for CT, gingiva mask and the torque of a screw, and orthodontics for bite, ceph and photographs", () => {
  const implant = draft({ caseType: "implant", items: [{ ...crown, kind: "customAbutment" }], fixType: "screw" });
  expect(adviceFor(implant, along())).toEqual(["ct", "gingiva", "torque"]);
  expect(adviceFor({ ...implant, fixType: "cement", gingiva: "byLab" }, along("ct"))).toEqual([]);
  const braces = draft({ caseType: "orthodontics", studies: ["c"] });
  expect(adviceFor(braces, along())).toEqual(["bite", "ceph", "photo"]);
  const withCeph = { ...along("bite", "photo"), studies: [{ id: "c", kind: "lateralCeph" as const }] };
  expect(adviceFor(braces, withCeph)).toEqual([]);
});
