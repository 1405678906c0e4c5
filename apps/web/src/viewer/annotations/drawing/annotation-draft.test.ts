import { describe, expect, it } from "vitest";
import { pressDraft, moveDraft, releaseDraft, type AnnotationDraft } from "./annotation-draft.ts";

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
