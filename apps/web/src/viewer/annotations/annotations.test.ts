import type { Annotation } from "@arcada/contract/study/annotation";
import { describe, expect, it } from "vitest";
import { pressDraft, moveDraft, releaseDraft, type AnnotationDraft } from "./drawing/annotation-draft.ts";
import { changeAnnotations, noAnnotations, type AnnotationChange } from "./store/annotation-history.ts";
import type { Ruler } from "./annotation-kind-types.ts";
import { withColour, annotationColourOf } from "./annotation-colour.ts";
import { annotationKindOf } from "./annotation-kind-registry.ts";

const annotation = (id: string, x = 0): Annotation => ({
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
const after = (...changes: AnnotationChange[]) => changes.reduce(changeAnnotations, noAnnotations);

describe("annotations", () => {
  it("are restored by redo as they were before undo", () => {
    const drawn = after(
      { type: "put", annotation: annotation("a") },
      { type: "put", annotation: annotation("a", 5) },
      { type: "remove", ids: ["a"] },
    );
    expect(drawn.annotations).toEqual([]);
    const undone = [1, 2].reduce((history) => changeAnnotations(history, { type: "undo" }), drawn);
    expect(undone.annotations).toEqual([annotation("a")]);
    expect(changeAnnotations(undone, { type: "redo" }).annotations).toEqual([annotation("a", 5)]);
  });

  it("cannot be undone beyond the saved state", () => {
    const loaded = after(
      { type: "put", annotation: annotation("mine") },
      { type: "load", annotations: [annotation("saved")] },
    );
    expect(changeAnnotations(loaded, { type: "undo" })).toEqual(loaded);
  });

  it("discard undone changes when another annotation is drawn", () => {
    const history = after(
      { type: "put", annotation: annotation("a") },
      { type: "undo" },
      { type: "put", annotation: annotation("b") },
      { type: "redo" },
    );
    expect(history.annotations).toEqual([annotation("b")]);
  });
});

describe("drawing", () => {
  const continueDraft = (step: ReturnType<typeof releaseDraft<string>>): AnnotationDraft<string> => {
    if ("done" in step) throw new Error("finished too early");
    return step.draft;
  };

  it("ends a length where a drag ends", () => {
    const draft = moveDraft(pressDraft<string>(null, "length", "a", [0, 0]), "b");
    expect(releaseDraft(draft, "b", [80, 0])).toEqual({ done: ["a", "b"] });
  });

  it("ends a length at the second click", () => {
    const first = continueDraft(releaseDraft(pressDraft<string>(null, "length", "a", [10, 10]), "a", [11, 10]));
    const second = pressDraft(moveDraft(first, "x"), "length", "b", [60, 10]);
    expect(releaseDraft(second, "b", [60, 10])).toEqual({ done: ["a", "b"] });
  });

  it("creates no length from two clicks at one point", () => {
    const first = continueDraft(releaseDraft(pressDraft<string>(null, "length", "a", [10, 10]), "a", [10, 10]));
    const twice = continueDraft(releaseDraft(pressDraft(first, "length", "a", [10, 10]), "a", [10, 10]));
    expect(releaseDraft(pressDraft(twice, "length", "b", [60, 10]), "b", [60, 10])).toEqual({ done: ["a", "b"] });
  });

  it("ends a path where its last point is pressed again, however long after", () => {
    const clicks = (draft: AnnotationDraft<string> | null, point: string, x: number) =>
      releaseDraft(pressDraft(draft, "path", point, [x, 0]), point, [x + 1, 0]);
    const two = continueDraft(clicks(continueDraft(clicks(null, "a", 0)), "b", 50));
    const three = continueDraft(clicks(two, "c", 90));
    expect(clicks(moveDraft(three, "near c"), "near c", 96)).toEqual({ done: ["a", "b", "c"] });
    expect(continueDraft(clicks(three, "d", 110)).points).toHaveLength(5);
  });

  it("requires three points for an angle, dragged or clicked", () => {
    const arm = continueDraft(releaseDraft(pressDraft<string>(null, "angle", "a", [0, 0]), "corner", [50, 0]));
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
  lineAngle: () => mm(0),
  region: () => ({ mean: 1, deviation: 0, min: 1, max: 1, area: mm(4) }) as never,
};
const key = (name: string) => name;

describe("the label of an annotation", () => {
  it("states half resolution for measurements of grey values, and only then", () => {
    const drawn = {
      points: [
        [0, 0],
        [9, 9],
      ],
      text: null,
    };
    for (const tool of ["ellipse", "rectangle", "profile"] as const) {
      expect(
        annotationKindOf(tool)
          .label(key, drawn, { ...ruler, isHalfResolution: true })
          .split("\n"),
      ).toContain("viewer.region.half");
      expect(annotationKindOf(tool).label(key, drawn, ruler)).not.toContain("half");
    }
    expect(annotationKindOf("length").label(key, drawn, { ...ruler, isHalfResolution: true })).not.toContain("half");
  });

  it("names a tooth in the reader's notation, and keeps text that names no tooth", () => {
    const formatTooth = (text: string, teeth?: "palmer" | "universal") =>
      annotationKindOf("tooth").label(key, { points: [[0, 0]], text }, { ...ruler, ...(teeth && { teeth }) });
    expect([
      formatTooth("36"),
      formatTooth("36", "palmer"),
      formatTooth("36", "universal"),
      formatTooth("75", "universal"),
    ]).toEqual(["36", "⎾6", "19", "K"]);
    expect(formatTooth("implant", "universal")).toBe("implant");
  });

  it("stores its colour beside other settings, and nothing for the default colour", () => {
    const calibrated = { ...annotation("a"), settings: { mm: 10 } };
    const red = withColour(calibrated, "red");
    expect([red.settings, annotationColourOf(red)]).toEqual([{ mm: 10, colour: "red" }, "red"]);
    expect([withColour(red, "yellow").settings, annotationColourOf(annotation("a"))]).toEqual([{ mm: 10 }, "yellow"]);
    expect(annotationColourOf({ settings: { colour: "no colour" } })).toBe("yellow");
  });
});
