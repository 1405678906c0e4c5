import type { Spot } from "@arcada/imaging/view/measure";
import { applied, type Affine, type Size } from "@arcada/imaging/view/picture-view";
import { MarkList } from "../marks/mark-list.tsx";
import type { DrawnMark } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";
import { spotOf } from "./picture-ruler.ts";
import type { PictureDrawing } from "./use-picture-marks.ts";
import type { PictureControls } from "./use-picture-view.ts";

interface Props {
  marks: Marks;
  drawing: PictureDrawing;
  controls: PictureControls;
  matrix: Affine | null;
  viewport: Size | null;
}

/** The annotations beside the image; one that is selected here is scrolled into view. */
export function PictureMarkList({ marks, drawing, controls, matrix, viewport }: Props) {
  const goTo = ({ id, points }: DrawnMark) => {
    drawing.choose(id);
    const spots = points.map(spotOf);
    if (matrix && viewport && !isSeen(spots, matrix, viewport)) controls.centreOn(middleOf(spots));
  };
  return (
    <MarkList
      labels={drawing.labels}
      chosen={drawing.chosen}
      ruler={drawing.ruler}
      onGoTo={goTo}
      onRemove={(id) => marks.remove(id)}
    />
  );
}

const isSeen = (spots: readonly Spot[], matrix: Affine, { width, height }: Size): boolean =>
  spots.map((spot) => applied(matrix, spot)).every(([x, y]) => x >= 0 && y >= 0 && x <= width && y <= height);

const middleOf = (spots: readonly Spot[]): Spot => [
  spots.reduce((sum, [x]) => sum + x, 0) / Math.max(1, spots.length),
  spots.reduce((sum, [, y]) => sum + y, 0) / Math.max(1, spots.length),
];
