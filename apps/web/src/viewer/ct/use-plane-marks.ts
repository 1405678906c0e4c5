import { useState } from "react";
import type { Mark } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import { spaceAngle, type Measured, type Spot } from "../geometry/measure.ts";
import type { PlaneName } from "../geometry/plane.ts";
import { distance, type Vector } from "../geometry/vector.ts";
import { moveDraft, pressDraft, releaseDraft, type Draft, type MarkTool } from "../marks/draft.ts";
import { measuredText } from "../marks/measured-text.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import type { Marks } from "../marks/use-marks.ts";

/** How one pane sees patient space. */
export interface PaneSpace {
  name: PlaneName;
  toPane: (point: Vector) => Spot;
  toPatient: (at: Spot) => Vector;
  /** Whether a point lies in the slice or slab that is shown. */
  isIn: (point: Vector) => boolean;
}

export interface PlaneDrawing {
  shownIn: (space: PaneSpace) => ShownMark[];
  list: readonly { mark: Mark; label: string }[];
  chosen: string | null;
  choose: (id: string | null) => void;
  press: (space: PaneSpace, tool: MarkTool, at: Spot) => void;
  move: (space: PaneSpace, at: Spot) => void;
  release: (space: PaneSpace, at: Spot) => void;
  drop: () => boolean;
  movePoint: (space: PaneSpace, id: string, index: number, to: Spot, isOver: boolean) => void;
  removeChosen: () => void;
}

/** The marks of one volume in all its planes, in patient mm. `owner` is the instance that the volume's marks hang on. */
export function usePlaneMarks(marks: Marks, owner: string | null): PlaneDrawing {
  const t = useTexts("viewer");
  const [draft, setDraft] = useState<(Draft<Vector> & { plane: PlaneName }) | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const [moving, setMoving] = useState<Mark | null>(null);
  const own = marks.list.filter((mark) => mark.instanceId === owner && isMeasure(mark)).map((mark) => (mark.id === moving?.id ? moving : mark));
  const labelOf = (tool: MarkTool, points: readonly Vector[]) => measuredText(t, measured(tool, points));
  const put = (mark: Parameters<Marks["put"]>[0]) => marks.put(mark);

  return {
    shownIn: (space) => {
      const inPane = own.filter((mark) => mark.plane === space.name && mark.points.map(vectorOf).every(space.isIn));
      const shown = inPane.map((mark): ShownMark => {
        const points = mark.points.map(vectorOf);
        return { id: mark.id, points: points.map(space.toPane), label: labelOf(mark.tool as MarkTool, points) };
      });
      if (draft?.plane !== space.name) return shown;
      return [...shown, { id: "draft", points: draft.points.map(space.toPane), label: labelOf(draft.tool, draft.points), isDraft: true }];
    },
    list: own.map((mark) => ({ mark, label: labelOf(mark.tool as MarkTool, mark.points.map(vectorOf)) })),
    chosen,
    choose,
    press: (space, tool, at) => setDraft({ ...pressDraft(draft?.plane === space.name ? draft : null, tool, space.toPatient(at), at), plane: space.name }),
    move: (space, at) => draft?.plane === space.name && setDraft({ ...moveDraft(draft, space.toPatient(at)), plane: space.name }),
    release: (space, at) => {
      if (draft?.plane !== space.name) return;
      const step = releaseDraft(draft, space.toPatient(at), at);
      setDraft("draft" in step ? { ...step.draft, plane: space.name } : null);
      if ("done" in step) choose(put({ tool: draft.tool, instanceId: owner, points: step.done.map((point) => [...point]), plane: space.name, text: null }));
    },
    drop: () => {
      setDraft(null);
      return draft !== null;
    },
    movePoint: (space, id, index, to, isOver) => {
      const mark = own.find((other) => other.id === id);
      if (!mark) return;
      const moved = { ...mark, points: mark.points.map((point, at) => (at === index ? [...space.toPatient(to)] : point)) };
      setMoving(isOver ? null : moved);
      if (isOver) put(moved);
    },
    removeChosen: () => {
      if (chosen) marks.remove(chosen);
      choose(null);
    },
  };
}

const isMeasure = ({ tool, plane }: Mark): boolean => (tool === "length" || tool === "angle") && plane !== null;

export const vectorOf = ([x = 0, y = 0, z = 0]: readonly number[]): Vector => [x, y, z];

const origin: Vector = [0, 0, 0];

function measured(tool: MarkTool, [a = origin, b = origin, c = b]: readonly Vector[]): Measured {
  return tool === "length" ? { value: distance(a, b), unit: "mm" } : spaceAngle(a, b, c);
}
