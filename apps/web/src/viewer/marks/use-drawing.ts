import { useRef, useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import type { Spot } from "@arcada/imaging/view/measure";
import { finishDraft, moveDraft, pressDraft, releaseDraft, type Draft } from "./draft.ts";
import { isDrawn, kindOf, type DrawnTool } from "./kind.ts";
import { coloured, nextColour } from "./mark-colour.ts";
import { useAsking, type Asking } from "./use-asking.ts";
import type { Marks } from "./use-marks.ts";
import { useMoving, type Moving } from "./use-moving.ts";

/** The owner of an annotation: an image or model, and for volumes a plane with its rotation. */
type MarkPlace = Pick<Mark, "instanceId" | "plane" | "settings">;

/** Drawing and changing annotations whose points are `P`: image points, patient points or points of a surface. */
export interface Drawing<P> extends Asking, Pick<Moving<DrawnMark>, "insertPoint" | "removePoint"> {
  draft: (Draft<P> & { place: MarkPlace }) | null;
  /** The annotations of this viewer, with the one that is being dragged at its current position. */
  own: readonly DrawnMark[];
  chosen: string | null;
  choose: (id: string | null) => void;
  /** True if something is being drawn, even before the page has been rendered with it. */
  isGoing: () => boolean;
  press: (tool: DrawnTool, point: P, at: Spot, place: MarkPlace) => void;
  /** Without effect if nothing is being drawn in this plane. */
  move: (point: P, plane: MarkPlace["plane"]) => void;
  /** Without a point the last one counts. */
  release: (point: P | null, at: Spot) => void;
  /**
   * Finishes a draft that may have more points; without one, opens the input of the selected annotation. Returns true
   * if there was something to do.
   */
  finish: () => boolean;
  /** Adds a whole annotation at once, for users who work without a pointer. */
  add: (tool: DrawnTool, points: readonly P[], place: MarkPlace) => void;
  /** Discards the draft; returns true if there was one. */
  drop: () => boolean;
  /** Without a point the annotation stays as it is. */
  movePoint: (id: string, index: number, point: P | null, isOver: boolean) => void;
  removeChosen: () => void;
}

export type DrawnMark = Mark & { tool: DrawnTool };

export function useDrawing<P extends readonly number[]>(marks: Marks, isOwn: (mark: DrawnMark) => boolean): Drawing<P> {
  const [draft, show] = useState<Drawing<P>["draft"]>(null);
  const [chosen, choose] = useState<string | null>(null);
  // A quick tap goes down and up before the page has been rendered in between.
  const going = useRef<Drawing<P>["draft"]>(null);
  const setDraft = (next: Drawing<P>["draft"]) => show((going.current = next));
  const isMine = (mark: Mark): mark is DrawnMark => isDrawnMark(mark) && isOwn(mark);
  const { own, ...moving } = useMoving(marks, marks.list.filter(isMine));
  const { askNew, ...asking } = useAsking(marks, own, draftId, choose);
  const put = (tool: DrawnTool, points: readonly P[], place: MarkPlace) => {
    setDraft(null);
    const drawn = { tool, points: points.map((each) => [...each]), text: null, ...place };
    const mark = coloured(drawn, nextColour());
    if (kindOf(tool).asks) askNew(mark);
    else choose(marks.put(mark));
  };
  return {
    draft,
    own: asking.asked?.id === draftId ? [...own, asking.asked] : own,
    chosen,
    choose,
    isGoing: () => going.current !== null,
    press: (tool, point, at, place) => {
      // This press takes the focus from the open input, which saves it.
      if (asking.asked) return;
      // A draft of another plane is discarded: its points lie elsewhere.
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
      if ("done" in step) put(now.tool, step.done, now.place);
      else setDraft({ ...step.draft, place: now.place });
    },
    finish: () => {
      const now = going.current;
      const points = now && finishDraft(now);
      if (now && points) put(now.tool, points, now.place);
      return points !== null || (now === null && chosen !== null && asking.ask(chosen));
    },
    add: put,
    drop: () => {
      const was = going.current !== null;
      setDraft(null);
      return was;
    },
    ...moving,
    removeChosen: () => {
      if (chosen) marks.remove(chosen);
      choose(null);
    },
    ...asking,
  };
}

/** The id under which the unfinished annotation is shown. */
export const draftId = "draft";

const isDrawnMark = (mark: Mark): mark is DrawnMark => isDrawn(mark.tool);
