import { useState } from "react";
import type { Instance, Mark } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import { pictureAngle, pictureLength, type Measured, type PixelSpacing, type Spot } from "../geometry/measure.ts";
import { applied, type Affine } from "../geometry/picture-view.ts";
import type { Picture } from "../gl/picture.ts";
import { moveDraft, pressDraft, releaseDraft, type Draft, type MarkTool } from "../marks/draft.ts";
import { measuredText } from "../marks/measured-text.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import type { Marks } from "../marks/use-marks.ts";

export interface Drawing {
  shown: ShownMark[];
  chosen: string | null;
  choose: (id: string | null) => void;
  press: (tool: MarkTool, at: Spot) => void;
  move: (at: Spot) => void;
  release: (at: Spot) => void;
  /** Gives up what is being drawn; answers whether there was something. */
  drop: () => boolean;
  movePoint: (id: string, index: number, to: Spot, isOver: boolean) => void;
  removeChosen: () => void;
}

interface Given {
  instance: Instance;
  picture: Picture;
  marks: Marks;
  matrix: Affine | null;
  imageSpot: (at: Spot) => Spot;
}

/** The marks of one picture on the screen, and drawing new ones. */
export function usePictureMarks({ instance, picture, marks, matrix, imageSpot }: Given): Drawing {
  const t = useTexts("viewer");
  const [draft, setDraft] = useState<Draft<Spot> | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const [moving, setMoving] = useState<Mark | null>(null);
  const own = marks.list.filter((mark) => mark.instanceId === instance.id).map((mark) => (mark.id === moving?.id ? moving : mark));
  const show = (id: string, tool: MarkTool, points: readonly Spot[]): ShownMark => ({
    id,
    points: matrix ? points.map((point) => applied(matrix, point)) : [],
    label: measuredText(t, measured(tool, points, picture.spacing)),
    isDraft: id === draftId,
  });
  const shown = own.flatMap((mark) => (isMeasure(mark.tool) ? [show(mark.id, mark.tool, mark.points.map(spotOf))] : []));
  if (draft) shown.push(show(draftId, draft.tool, draft.points));
  return {
    shown,
    chosen,
    choose,
    press: (tool, at) => setDraft(pressDraft(draft, tool, imageSpot(at), at)),
    move: (at) => draft && setDraft(moveDraft(draft, imageSpot(at))),
    release: (at) => {
      if (!draft) return;
      const step = releaseDraft(draft, imageSpot(at), at);
      setDraft("draft" in step ? step.draft : null);
      if ("done" in step) choose(marks.put({ tool: draft.tool, instanceId: instance.id, points: step.done.map(([x, y]) => [x, y]), plane: null, text: null }));
    },
    drop: () => {
      setDraft(null);
      return draft !== null;
    },
    movePoint: (id, index, to, isOver) => {
      const mark = own.find((other) => other.id === id);
      if (!mark) return;
      const moved = { ...mark, points: mark.points.map((point, at) => (at === index ? [...imageSpot(to)] : point)) };
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

const isMeasure = (tool: Mark["tool"]): tool is MarkTool => tool === "length" || tool === "angle";

const spotOf = ([x = 0, y = 0]: readonly number[]): Spot => [x, y];

function measured(tool: MarkTool, [a = [0, 0], b = [0, 0], c = b]: readonly Spot[], spacing: PixelSpacing | null): Measured {
  return tool === "length" ? pictureLength(a, b, spacing) : pictureAngle(a, b, c, spacing);
}
