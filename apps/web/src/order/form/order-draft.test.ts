import { describe, expect, it } from "vitest";
import { createEmptyDraft, toSaveInput, findMissing, guessRole, collectRoles, changeCaseType } from "./order-draft.ts";
import type { Draft } from "./order-draft.ts";

const crown: Draft["items"][number] = {
  teeth: [11],
  kind: "crown",
  material: "zirconia",
  shade: "A2",
  stumpShade: null,
  pontics: [],
  remark: " ",
};
const draft = (change: Partial<Draft> = {}): Draft => ({ ...createEmptyDraft("p"), ...change });

describe("a new order", () => {
  it("is due after seven of the reader's days, with design and machining", () => {
    expect(createEmptyDraft("p", new Date(2030, 0, 28, 23, 59))).toMatchObject({
      dueDate: "2030-02-04",
      workKinds: ["design", "machining"],
    });
  });

  it("requires a scheme and replaces unsuitable item kinds when the case becomes an implant", () => {
    const inlay = draft({ items: [{ ...crown, teeth: [36], kind: "inlay" }] });
    expect(changeCaseType(inlay, "implant")).toMatchObject({
      schemeRequired: true,
      items: [{ kind: "crown", teeth: [36] }],
    });
  });
});

describe("the input sent to the server", () => {
  it("omits refused files and sends blank texts as null", () => {
    const input = toSaveInput(
      draft({
        instructions: "  ",
        items: [{ ...crown, teeth: [11], pontics: [] }],
        uploads: [
          { upload: "a", role: "upperScan", name: "a.stl" },
          { upload: "b", role: "upperScan", name: "b.stl", refused: "broken" },
        ],
      }),
      { id: "o", version: 3 },
    );
    expect(input).toMatchObject({
      id: "o",
      version: 3,
      instructions: null,
      uploads: [{ upload: "a", role: "upperScan" }],
    });
    expect(input.items[0]?.remark).toBeNull();
  });
});

describe("the missing input", () => {
  it("starts with the patient, and names a scan instead of any file", () => {
    expect(findMissing(draft({ patientId: "" }), [])).toEqual(["patientId", "targetIid", "items", "scan"]);
  });

  it("counts a study of models as both scans until the server has named its arches", () => {
    const studies = [{ id: "s", kind: "model" as const }];
    const chosen = draft({ studies: ["s"] });
    expect(collectRoles(chosen, [], studies)).toEqual([{ role: "upperScan" }, { role: "lowerScan" }]);
    expect(collectRoles(chosen, [{ role: "lowerScan", studyId: "s" }], studies)).toEqual([{ role: "lowerScan" }]);
  });
});

it("guesses the role of a file by its name", () => {
  expect(["UpperJaw.stl", "lower.PLY", "bite1.obj", "IMG_1.JPG", "letter.pdf", "下颌.stl"].map(guessRole)).toEqual([
    "upperScan",
    "lowerScan",
    "bite",
    "photo",
    "document",
    "lowerScan",
  ]);
});
