import type { Annotation } from "@arcada/contract/study/annotation";
import { describe, expect, it } from "vitest";
import { changeAnnotations, noAnnotations, type AnnotationChange } from "./annotation-history.ts";

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
