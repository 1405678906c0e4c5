import { useRef, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { finishDraft, moveDraft, pressDraft, releaseDraft, type AnnotationDraft } from "./annotation-draft.ts";
import { withColour, getNextColour } from "../annotation-colour.ts";
import { useAnnotationInput, type AnnotationInputControls } from "./use-annotation-input.ts";
import type { AnnotationStore } from "../store/use-annotations.ts";
import { usePointEditing, type PointEditing } from "./use-point-editing.ts";
import { isDrawingTool, annotationKindOf, type DrawingTool } from "../annotation-kind-registry.ts";

/** The owner of an annotation: an image or model, and for volumes a plane with its rotation. */
type AnnotationOwner = Pick<Annotation, "instanceId" | "plane" | "settings">;

/** Draws and edits annotations whose points are `P`: image points, patient points or points of a surface. */
export interface Drawing<P>
  extends AnnotationInputControls, Pick<PointEditing<DrawnAnnotation>, "insertPoint" | "removePoint"> {
  draft: (AnnotationDraft<P> & { owner: AnnotationOwner }) | null;
  /** The annotations of this viewer, with the one that is being dragged at its current position. */
  items: readonly DrawnAnnotation[];
  chosen: string | null;
  choose: (id: string | null) => void;
  /** True if something is being drawn, even before the page has been rendered with it. */
  isDrawing: () => boolean;
  press: (tool: DrawingTool, point: P, at: Point2D, owner: AnnotationOwner) => void;
  /** Without effect if nothing is being drawn in this plane. */
  move: (point: P, plane: AnnotationOwner["plane"]) => void;
  /** Without a point the last one counts. */
  release: (point: P | null, at: Point2D) => void;
  /**
   * Finishes a draft that may have more points; without one, opens the input of the selected annotation. Returns true
   * if there was something to do.
   */
  finish: () => boolean;
  /** Adds a whole annotation at once, for users who work without a pointer. */
  add: (tool: DrawingTool, points: readonly P[], owner: AnnotationOwner) => void;
  /** Discards the draft; returns true if there was one. */
  discardDraft: () => boolean;
  /** Without a point the annotation stays as it is. */
  movePoint: (id: string, index: number, point: P | null, isOver: boolean) => void;
  removeChosen: () => void;
}

export type DrawnAnnotation = Annotation & { tool: DrawingTool };

export function useDrawing<P extends readonly number[]>(
  annotations: AnnotationStore,
  isInViewer: (annotation: DrawnAnnotation) => boolean,
): Drawing<P> {
  const [draft, setShownDraft] = useState<Drawing<P>["draft"]>(null);
  const [chosen, choose] = useState<string | null>(null);
  // A quick tap goes down and up before the page has been rendered in between.
  const currentDraft = useRef<Drawing<P>["draft"]>(null);
  const setDraft = (next: Drawing<P>["draft"]) => setShownDraft((currentDraft.current = next));
  const isOwnDrawing = (annotation: Annotation): annotation is DrawnAnnotation =>
    isDrawnAnnotation(annotation) && isInViewer(annotation);
  const { items, ...pointEditing } = usePointEditing(annotations, annotations.list.filter(isOwnDrawing));
  const { openNewInput, ...input } = useAnnotationInput(annotations, items, draftId, choose);
  const put = (tool: DrawingTool, points: readonly P[], owner: AnnotationOwner) => {
    setDraft(null);
    const unstyled = { tool, points: points.map((each) => [...each]), text: null, ...owner };
    const annotation = withColour(unstyled, getNextColour());
    if (annotationKindOf(tool).input) openNewInput(annotation);
    else choose(annotations.put(annotation));
  };
  return {
    draft,
    items: input.edited?.id === draftId ? [...items, input.edited] : items,
    chosen,
    choose,
    isDrawing: () => currentDraft.current !== null,
    press: (tool, point, at, owner) => {
      // This press takes the focus from the open input, which saves it.
      if (input.edited) return;
      // A draft of another plane is discarded: its points lie elsewhere.
      const current = currentDraft.current?.owner.plane === owner.plane ? currentDraft.current : null;
      setDraft({ ...pressDraft(current, tool, point, at), owner: current?.owner ?? owner });
    },
    move: (point, plane) => {
      const current = currentDraft.current;
      if (current && current.owner.plane === plane) setDraft({ ...moveDraft(current, point), owner: current.owner });
    },
    release: (point, at) => {
      const current = currentDraft.current;
      if (!current) return;
      const result = releaseDraft(current, point ?? current.points.at(-1)!, at);
      if ("done" in result) put(current.tool, result.done, current.owner);
      else setDraft({ ...result.draft, owner: current.owner });
    },
    finish: () => {
      const current = currentDraft.current;
      const points = current && finishDraft(current);
      if (current && points) put(current.tool, points, current.owner);
      return points !== null || (current === null && chosen !== null && input.openInput(chosen));
    },
    add: put,
    discardDraft: () => {
      const hadDraft = currentDraft.current !== null;
      setDraft(null);
      return hadDraft;
    },
    ...pointEditing,
    removeChosen: () => {
      if (chosen) annotations.remove(chosen);
      choose(null);
    },
    ...input,
  };
}

/** The id under which the unfinished annotation is shown. */
export const draftId = "draft";

const isDrawnAnnotation = (annotation: Annotation): annotation is DrawnAnnotation => isDrawingTool(annotation.tool);
