import { useState } from "react";
import type { Mark } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import type { Spot } from "../geometry/measure.ts";
import { distance, type Vector } from "../geometry/vector.ts";
import { moveDraft, pressDraft, releaseDraft, type Draft } from "../marks/draft.ts";
import { measuredText } from "../marks/measured-text.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import type { Marks } from "../marks/use-marks.ts";
import type { Picked } from "./model-painter.ts";

export interface ModelDrawing {
  shown: ShownMark[];
  chosen: string | null;
  choose: (id: string | null) => void;
  press: (at: Spot) => void;
  move: (at: Spot) => void;
  release: (at: Spot) => void;
  drop: () => boolean;
  movePoint: (id: string, index: number, to: Spot, isOver: boolean) => void;
  removeChosen: () => void;
}

interface Given {
  marks: Marks;
  /** The models of the scene: whose marks are shown. */
  ids: readonly string[];
  pick: (at: Spot) => Picked | null;
  toScreen: (point: Vector) => Spot;
}

/** Lengths between points of surfaces, in mm. */
export function useModelMarks({ marks, ids, pick, toScreen }: Given): ModelDrawing {
  const t = useTexts("viewer");
  const [draft, setDraft] = useState<(Draft<Vector> & { id: string }) | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const [moving, setMoving] = useState<Mark | null>(null);
  const own = marks.list.filter((mark) => mark.tool === "length" && mark.instanceId !== null && ids.includes(mark.instanceId)).map((mark) => (mark.id === moving?.id ? moving : mark));
  const show = (id: string, points: readonly Vector[]): ShownMark => ({
    id,
    points: points.map(toScreen),
    label: measuredText(t, { value: distance(points[0] ?? origin, points[1] ?? origin), unit: "mm" }),
    isDraft: id === draftId,
  });
  const shown = own.map((mark) => show(mark.id, mark.points.map(vectorOf)));
  if (draft) shown.push(show(draftId, draft.points));
  return {
    shown,
    chosen,
    choose,
    // A point beside every surface measures nothing: the press is not taken.
    press: (at) => {
      const hit = pick(at);
      if (hit) setDraft({ ...pressDraft(draft, "length", hit.point, at), id: draft?.id ?? hit.id });
    },
    move: (at) => {
      const hit = draft && pick(at);
      if (hit) setDraft({ ...moveDraft(draft, hit.point), id: draft.id });
    },
    release: (at) => {
      if (!draft) return;
      const last = draft.points.at(-1) ?? origin;
      const step = releaseDraft(draft, pick(at)?.point ?? last, at);
      setDraft("draft" in step ? { ...step.draft, id: draft.id } : null);
      if ("done" in step) choose(marks.put({ tool: "length", instanceId: draft.id, points: step.done.map((point) => [...point]), plane: null, text: null }));
    },
    drop: () => {
      setDraft(null);
      return draft !== null;
    },
    movePoint: (id, index, to, isOver) => {
      const mark = own.find((other) => other.id === id);
      if (!mark) return;
      const hit = pick(to);
      const moved = hit ? { ...mark, points: mark.points.map((point, at) => (at === index ? [...hit.point] : point)) } : mark;
      setMoving(isOver ? null : moved);
      if (isOver) marks.put(moved);
    },
    removeChosen: () => {
      if (chosen) marks.remove(chosen);
      choose(null);
    },
  };
}

const draftId = "draft";
const origin: Vector = [0, 0, 0];
const vectorOf = ([x = 0, y = 0, z = 0]: readonly number[]): Vector => [x, y, z];
