import { expect, it } from "vitest";
import { noDefaults } from "../templates/fill-from-template.ts";
import { createEmptyDraft } from "./order-draft.ts";
import { fillFromPlan } from "./planned-implants.ts";
import type { PlannedImplant } from "./planned-implants.ts";

const implant = (change: Partial<PlannedImplant>): PlannedImplant => ({
  tooth: null,
  system: null,
  diameter: 4.1,
  length: 10,
  abutmentAngle: null,
  distances: [],
  ...change,
});
const t = (key: string, values: Record<string, unknown> = {}) =>
  `${key.split(".").at(-1)} ${Object.values(values).join(" ")}`;
const draft = createEmptyDraft("p");

it("brings the images, the teeth, the system and the numbers of an implant plan into the order", () => {
  const plan = {
    studyId: "ct",
    implants: [
      implant({ tooth: 46, system: "Maker Line", abutmentAngle: 17, distances: [{ to: "canal", mm: 2.34 }] }),
      implant({ length: 8 }),
    ],
    files: [{ upload: "u", role: "document" as const, name: "plan.pdf" }],
    outdated: [],
  };
  expect(fillFromPlan(t, draft, plan, { ...noDefaults, material: "zirconia" })).toMatchObject({
    caseType: "implant",
    schemeRequired: true,
    implantSystem: "Maker Line",
    studies: ["ct"],
    uploads: [{ upload: "u", role: "document", name: "plan.pdf" }],
    items: [{ teeth: [46], kind: "crown", material: "zirconia" }],
    instructions: "implant 1 (46): Maker Line; size 4.1 10.0; abutment 17.0; canal 2.3\nimplant 2: size 4.1 8.0",
  });
});

it("keeps the tooth that the order was opened for", () => {
  const items = [
    { teeth: [46], kind: "crown" as const, material: null, shade: null, stumpShade: null, pontics: [], remark: null },
  ];
  const filled = fillFromPlan(
    t,
    { ...draft, items },
    { studyId: "ct", implants: [implant({ tooth: 46 })], files: [], outdated: [] },
    noDefaults,
  );
  expect(filled.items).toHaveLength(1);
});
