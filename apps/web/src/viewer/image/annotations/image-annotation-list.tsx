import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { applyAffine, type Affine, type Size } from "@arcada/imaging/view/image-view";
import { AnnotationList } from "../../annotations/annotation-list.tsx";
import type { DrawnAnnotation } from "../../annotations/drawing/use-drawing.ts";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import { toPoint } from "./measure-in-image.ts";
import type { ImageDrawing } from "./use-image-annotations.ts";
import type { ImageControls } from "../use-image-view.ts";

interface Props {
  annotations: AnnotationStore;
  drawing: ImageDrawing;
  controls: ImageControls;
  matrix: Affine | null;
  viewport: Size | null;
}

/** The annotations beside the image; one that is selected here is scrolled into view. */
export function ImageAnnotationList({ annotations, drawing, controls, matrix, viewport }: Props) {
  const goTo = ({ id, points }: DrawnAnnotation) => {
    drawing.choose(id);
    const imagePoints = points.map(toPoint);
    if (matrix && viewport && !isVisible(imagePoints, matrix, viewport))
      controls.centreOn(computeCentroid(imagePoints));
  };
  return (
    <AnnotationList
      labels={drawing.labels}
      chosen={drawing.chosen}
      ruler={drawing.ruler}
      onGoTo={goTo}
      onRemove={(id) => annotations.remove(id)}
    />
  );
}

const isVisible = (imagePoints: readonly Point2D[], matrix: Affine, { width, height }: Size): boolean =>
  imagePoints
    .map((point) => applyAffine(matrix, point))
    .every(([x, y]) => x >= 0 && y >= 0 && x <= width && y <= height);

const computeCentroid = (imagePoints: readonly Point2D[]): Point2D => [
  imagePoints.reduce((sum, [x]) => sum + x, 0) / Math.max(1, imagePoints.length),
  imagePoints.reduce((sum, [, y]) => sum + y, 0) / Math.max(1, imagePoints.length),
];
