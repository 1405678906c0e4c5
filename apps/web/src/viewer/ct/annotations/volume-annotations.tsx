import { useId } from "react";
import { AnnotationLayer } from "../../annotations/layer/annotation-layer.tsx";
import type { ViewportSpace, PlaneDrawing } from "./use-plane-annotations.ts";

interface Props {
  drawing: PlaneDrawing;
  space: ViewportSpace;
  /** The id of this viewport. */
  id: string;
}

/**
 * The annotations of a volume in one viewport. Input for an annotation that is in several viewports opens in the one
 * that was used last.
 */
export const VolumeAnnotations = ({ drawing, space, id }: Props) => (
  <AnnotationLayer
    annotations={drawing.listVisible(space)}
    chosen={drawing.chosen}
    onChoose={drawing.choose}
    onMove={(annotation, index, to, isOver) => drawing.movePoint(annotation, index, space.toPatient(to), isOver)}
    editing={{ ...drawing, edited: drawing.activeViewport === id ? drawing.edited : null }}
  />
);

/** An id for a viewport, and the event handlers that detect its use. */
export function useActiveViewport({ setActiveViewport: workIn }: PlaneDrawing) {
  const id = useId();
  const activate = () => workIn(id);
  return { id, handlers: { onPointerDownCapture: activate, onKeyDownCapture: activate } };
}
