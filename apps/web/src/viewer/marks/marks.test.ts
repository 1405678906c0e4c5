import type { Mark } from "@arcada/contract/study/mark";
import { describe, expect, it } from "vitest";
import { pressDraft, moveDraft, releaseDraft, type Draft } from "./draft.ts";
import { changeMarks, noMarks, type MarkChange } from "./history.ts";
import { kindOf, type Ruler } from "./kind.ts";
import { coloured, colourOf } from "./mark-colour.ts";

const mark = (id: string, x = 0): Mark => ({
  id,
  tool: "length",
  instanceId: null,
  points: [
    [x, 0],
    [9, 9],
  ],
  plane: null,
  text: null,
});
const after = (...changes: MarkChange[]) => changes.reduce(changeMarks, noMarks);

describe("marks", () => {
  it("come back by redo as they were before undo", () => {
    const drawn = after(
      { type: "put", mark: mark("a") },
      { type: "put", mark: mark("a", 5) },
      { type: "remove", ids: ["a"] },
    );
    expect(drawn.marks).toEqual([]);
    const undone = [1, 2].reduce((history) => changeMarks(history, { type: "undo" }), drawn);
    expect(undone.marks).toEqual([mark("a")]);
    expect(changeMarks(undone, { type: "redo" }).marks).toEqual([mark("a", 5)]);
  });

  it("cannot be undone beyond what was saved", () => {
    const loaded = after({ type: "put", mark: mark("mine") }, { type: "load", marks: [mark("saved")] });
    expect(changeMarks(loaded, { type: "undo" })).toEqual(loaded);
  });

  it("forget what was undone when something else is drawn", () => {
    const history = after(
      { type: "put", mark: mark("a") },
      { type: "undo" },
      { type: "put", mark: mark("b") },
      { type: "redo" },
    );
    expect(history.marks).toEqual([mark("b")]);
  });
});

describe("drawing", () => {
  const going = (step: ReturnType<typeof releaseDraft<string>>): Draft<string> => {
    if ("done" in step) throw new Error("finished too early");
    return step.draft;
  };

  it("ends a length where a drag ends", () => {
    const draft = moveDraft(pressDraft<string>(null, "length", "a", [0, 0]), "b");
    expect(releaseDraft(draft, "b", [80, 0])).toEqual({ done: ["a", "b"] });
  });

  it("ends a length at the second click", () => {
    const first = going(releaseDraft(pressDraft<string>(null, "length", "a", [10, 10]), "a", [11, 10]));
    const second = pressDraft(moveDraft(first, "x"), "length", "b", [60, 10]);
    expect(releaseDraft(second, "b", [60, 10])).toEqual({ done: ["a", "b"] });
  });

  it("makes no length of two clicks in one place", () => {
    const first = going(releaseDraft(pressDraft<string>(null, "length", "a", [10, 10]), "a", [10, 10]));
    const twice = going(releaseDraft(pressDraft(first, "length", "a", [10, 10]), "a", [10, 10]));
    expect(releaseDraft(pressDraft(twice, "length", "b", [60, 10]), "b", [60, 10])).toEqual({ done: ["a", "b"] });
  });

  it("ends a path where its last point is pressed again, however long after", () => {
    const clicks = (draft: Draft<string> | null, point: string, x: number) =>
      releaseDraft(pressDraft(draft, "path", point, [x, 0]), point, [x + 1, 0]);
    const two = going(clicks(going(clicks(null, "a", 0)), "b", 50));
    const three = going(clicks(two, "c", 90));
    expect(clicks(moveDraft(three, "near c"), "near c", 96)).toEqual({ done: ["a", "b", "c"] });
    expect(going(clicks(three, "d", 110)).points).toHaveLength(5);
  });

  it("asks for three points of an angle, dragged or clicked", () => {
    const arm = going(releaseDraft(pressDraft<string>(null, "angle", "a", [0, 0]), "corner", [50, 0]));
    expect(arm.points).toEqual(["a", "corner", "corner"]);
    expect(releaseDraft(pressDraft(moveDraft(arm, "y"), "angle", "b", [50, 50]), "b", [50, 50])).toEqual({
      done: ["a", "corner", "b"],
    });
  });
});

const mm = (value: number) => ({ value, unit: "mm" as const });
const ruler: Ruler = {
  length: () => mm(12),
  angle: () => mm(0),
  between: () => mm(0),
  region: () => ({ mean: 1, deviation: 0, min: 1, max: 1, area: mm(4) }) as never,
};
const key = (name: string) => name;

describe("what stands beside a mark", () => {
  it("says that grey values are those of half the resolution, and only then", () => {
    const drawn = {
      points: [
        [0, 0],
        [9, 9],
      ],
      text: null,
    };
    for (const tool of ["ellipse", "rectangle", "profile"] as const) {
      expect(
        kindOf(tool)
          .label(key, drawn, { ...ruler, isHalf: true })
          .split("\n"),
      ).toContain("viewer.region.half");
      expect(kindOf(tool).label(key, drawn, ruler)).not.toContain("half");
    }
    expect(kindOf("length").label(key, drawn, { ...ruler, isHalf: true })).not.toContain("half");
  });

  it("names a tooth as its reader does, and keeps words that are no tooth", () => {
    const told = (text: string, teeth?: "palmer" | "universal") =>
      kindOf("tooth").label(key, { points: [[0, 0]], text }, { ...ruler, ...(teeth && { teeth }) });
    expect([told("36"), told("36", "palmer"), told("36", "universal"), told("75", "universal")]).toEqual([
      "36",
      "⎾6",
      "19",
      "K",
    ]);
    expect(told("implant", "universal")).toBe("implant");
  });

  it("keeps its colour beside what else is kept of it, and no word for the usual one", () => {
    const calibrated = { ...mark("a"), settings: { mm: 10 } };
    const red = coloured(calibrated, "red");
    expect([red.settings, colourOf(red)]).toEqual([{ mm: 10, colour: "red" }, "red"]);
    expect([coloured(red, "yellow").settings, colourOf(mark("a"))]).toEqual([{ mm: 10 }, "yellow"]);
    expect(colourOf({ settings: { colour: "no colour" } })).toBe("yellow");
  });
});
