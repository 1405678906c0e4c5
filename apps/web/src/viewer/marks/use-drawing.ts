import { useRef, useState } from "react";
import type { Mark } from "@arcada/contract/study/study.calls";
import type { Spot } from "../geometry/measure.ts";
import { moveDraft, pressDraft, releaseDraft, type Draft, type MarkTool } from "./draft.ts";
import type { Marks } from "./use-marks.ts";

/** Where a mark belongs: an image or model, and for volumes a plane. */
type MarkPlace = Pick<Mark, "instanceId" | "plane">;

/** Drawing and changing marks whose points are `P`: image points, patient points or points of a surface. */
export interface Drawing<P> {
  draft: (Draft<P> & { place: MarkPlace }) | null;
  /** The marks that were asked for, with the one that a hand holds where the hand is. */
  own: readonly MeasureMark[];
  chosen: string | null;
  choose: (id: string | null) => void;
  /** Whether something is being drawn, also before the page has been drawn with it. */
  isGoing: () => boolean;
  press: (tool: MarkTool, point: P, at: Spot, place: MarkPlace) => void;
  /** Without effect where nothing is being drawn in this plane. */
  move: (point: P, plane: MarkPlace["plane"]) => void;
  /** Without a point the last one counts. */
  release: (point: P | null, at: Spot) => void;
  /** A whole mark at once, for who works without a pointer. */
  add: (tool: MarkTool, points: readonly P[], place: MarkPlace) => void;
  /** Gives up what is being drawn; answers whether there was something. */
  drop: () => boolean;
  /** Without a point the mark stays as it is. */
  movePoint: (id: string, index: number, point: P | null, isOver: boolean) => void;
  removeChosen: () => void;
}

export type MeasureMark = Mark & { tool: MarkTool };

export function useDrawing<P extends readonly number[]>(
  marks: Marks,
  isOwn: (mark: MeasureMark) => boolean,
): Drawing<P> {
  const [draft, show] = useState<Drawing<P>["draft"]>(null);
  const [chosen, choose] = useState<string | null>(null);
  const [moving, setMoving] = useState<MeasureMark | null>(null);
  // A quick tap goes down and up before the page has been drawn in between.
  const going = useRef<Drawing<P>["draft"]>(null);
  const setDraft = (next: Drawing<P>["draft"]) => show((going.current = next));
  const own = marks.list
    .filter(isMeasure)
    .filter(isOwn)
    .map((mark) => (mark.id === moving?.id ? moving : mark));
  return {
    draft,
    own,
    chosen,
    choose,
    isGoing: () => going.current !== null,
    press: (tool, point, at, place) => {
      // A draft of another plane is given up: its points lie elsewhere.
      const now = going.current?.place.plane === place.plane ? going.current : null;
      setDraft({ ...pressDraft(now, tool, point, at), place: now?.place ?? place });
    },
    move: (point, plane) => {
      const now = going.current;
      if (now && now.place.plane === plane) setDraft({ ...moveDraft(now, point), place: now.place });
    },
    release: (point, at) => {
      const now = going.current;
      if (!now) return;
      const step = releaseDraft(now, point ?? now.points.at(-1)!, at);
      setDraft("draft" in step ? { ...step.draft, place: now.place } : null);
      if ("done" in step)
        choose(marks.put({ tool: now.tool, points: step.done.map((each) => [...each]), text: null, ...now.place }));
    },
    add: (tool, points, place) =>
      choose(marks.put({ tool, points: points.map((each) => [...each]), text: null, ...place })),
    drop: () => {
      const was = going.current !== null;
      setDraft(null);
      return was;
    },
    movePoint: (id, index, point, isOver) => {
      const mark = own.find((other) => other.id === id);
      if (!mark) return;
      const points = mark.points.map((each, at) => (at === index && point ? [...point] : each));
      setMoving(isOver ? null : { ...mark, points });
      if (isOver) marks.put({ ...mark, points });
    },
    removeChosen: () => {
      if (chosen) marks.remove(chosen);
      choose(null);
    },
  };
}

/** The id under which the unfinished mark is shown. */
export const draftId = "draft";

const isMeasure = (mark: Mark): mark is MeasureMark => mark.tool === "length" || mark.tool === "angle";
