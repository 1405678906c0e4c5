import { useMemo } from "react";
import type { RasterImage } from "@arcada/imaging/gl/raster-image";
import type { PixelSpacing, Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { applyAffine, type Affine } from "@arcada/imaging/view/image-view";
import type { DrawableAnnotation, Ruler } from "../../annotations/annotation-kind-types.ts";
import { annotationColourOf, getNextColour } from "../../annotations/annotation-colour.ts";
import type { Polylines, ScreenAnnotation } from "../../annotations/layer/annotation-layer.tsx";
import { useAnnotationLabel } from "../../annotations/labels/use-annotation-label.ts";
import { draftId, useDrawing, type DrawnAnnotation, type Drawing } from "../../annotations/drawing/use-drawing.ts";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import { findUserCalibration, type UserCalibration } from "./user-calibration.ts";
import type { ImageFile } from "../loading/load-image.ts";
import { createImageRuler, toPoint } from "./measure-in-image.ts";
import { annotationKindOf, type DrawingTool } from "../../annotations/annotation-kind-registry.ts";

export interface ImageDrawing extends Drawing<Point2D> {
  shown: ScreenAnnotation[];
  labels: readonly { annotation: DrawnAnnotation; label: string }[];
  ruler: Ruler;
  /** Null if only the file's own spacing applies. */
  calibration: UserCalibration | null;
}

/** The source of grey values; without it, none are read. */
export interface GreyValueSource {
  image: RasterImage;
  file: ImageFile | null;
}

/**
 * The annotations of one image, drawn at the screen positions of their image points. In frames after the first, points
 * have the frame, counted from 0, as their third number.
 */
export function useImageAnnotations(
  annotations: AnnotationStore,
  { instanceId, frame }: { instanceId: string; frame: number },
  matrix: Affine | null,
  spacing: PixelSpacing | null,
  values: GreyValueSource | null = null,
): ImageDrawing {
  const formatLabel = useAnnotationLabel();
  const drawing = useDrawing<readonly number[]>(
    annotations,
    (annotation) => annotation.instanceId === instanceId && (annotation.points[0]?.[2] ?? 0) === frame,
  );
  const withFrame = ([x, y]: Point2D): readonly number[] => (frame > 0 ? [x, y, frame] : [x, y]);
  const calibration = findUserCalibration(annotations.list, instanceId, spacing);
  const { row, column } = calibration?.spacing ?? spacing ?? { row: 0, column: 0 };
  const { image = null, file = null } = values ?? {};
  const ruler = useMemo(
    () => createImageRuler(row > 0 ? { row, column } : null, image, file),
    [row, column, image, file],
  );
  const labels = drawing.items.map((annotation) => ({
    annotation,
    label: formatLabel(annotation.tool, annotation, ruler),
  }));
  const shown = labels.map(({ annotation, label }) =>
    toScreenAnnotation(annotation.id, annotation.tool, annotation, label, matrix),
  );
  const { draft } = drawing;
  if (draft) {
    const drawn = { points: draft.points.map((point) => [...point]), text: null };
    shown.push(toScreenAnnotation(draftId, draft.tool, drawn, formatLabel(draft.tool, drawn, ruler), matrix));
  }
  return {
    ...drawing,
    draft: drawing.draft && { ...drawing.draft, points: drawing.draft.points.map(toPoint) },
    press: (tool, point, at, place) => drawing.press(tool, withFrame(point), at, place),
    move: (point, plane) => drawing.move(withFrame(point), plane),
    release: (point, at) => drawing.release(point && withFrame(point), at),
    add: (tool, points, place) => drawing.add(tool, points.map(withFrame), place),
    movePoint: (id, index, point, isOver) => drawing.movePoint(id, index, point && withFrame(point), isOver),
    shown,
    labels: labels.filter(({ annotation }) => annotation.id !== draftId),
    ruler,
    calibration,
  };
}

/** A tool's lines are computed in image coordinates: a vertical there rotates with the image. */
function toScreenAnnotation(
  id: string,
  tool: DrawingTool,
  drawn: DrawableAnnotation,
  label: string,
  matrix: Affine | null,
): ScreenAnnotation {
  const kind = annotationKindOf(tool);
  const points = drawn.points.map(toPoint);
  const toScreen = (lines: Polylines): Polylines =>
    lines.map((line) => line.map((point) => applyAffine(matrix ?? identityTransform, point)));
  return {
    id,
    tool,
    label,
    colour: id === draftId ? getNextColour() : annotationColourOf(drawn),
    points: matrix ? points.map((point) => applyAffine(matrix, point)) : [],
    isDraft: id === draftId,
    ...(kind.lines && { lines: toScreen(kind.lines(points)) }),
    ...(kind.guides && { guides: toScreen(kind.guides(points)) }),
  };
}

const identityTransform: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
