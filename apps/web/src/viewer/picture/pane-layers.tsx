import type { Spot } from "@arcada/imaging/view/measure";
import type { Affine, Size } from "@arcada/imaging/view/picture-view";
import { MarksLayer } from "../marks/marks-layer.tsx";
import type { LoadedPicture, PictureFile } from "./load-picture.ts";
import { OverlayLayer, type OverlaySwitch } from "./overlay-layer.tsx";
import styles from "./picture-pane.module.css";
import { StateLayer } from "./state-layer.tsx";
import type { PaneLens } from "./use-lens.ts";
import type { Box } from "./use-picture-hand.ts";
import type { PictureDrawing } from "./use-picture-marks.ts";

interface Props {
  loaded: LoadedPicture;
  file: PictureFile | null;
  frame: number;
  matrix: Affine;
  viewport: Size;
  overlay: OverlaySwitch;
  drawing: PictureDrawing;
  imageSpot: (at: Spot) => Spot;
  lens: PaneLens | null;
  box: Box | null;
}

/**
 * The layers over the canvas: the file's drawings, the annotations, the rim of the magnifier and a rectangle to be
 * enlarged.
 */
export function PaneLayers({ loaded, file, frame, matrix, viewport, overlay, drawing, imageSpot, lens, box }: Props) {
  const { picture, overlay: bits } = loaded;
  const drawn = file?.presentation?.drawn;
  return (
    <>
      <div className={styles.layers} style={lens ? { maskImage: besideLens(lens) } : undefined}>
        {overlay.isOn && bits && <OverlayLayer {...{ bits, picture, matrix, viewport }} />}
        {overlay.isOn && drawn && <StateLayer {...{ drawn, frame, matrix }} />}
        <MarksLayer
          marks={drawing.shown}
          chosen={drawing.chosen}
          onChoose={drawing.choose}
          onMove={(id, index, to, isOver) => drawing.movePoint(id, index, imageSpot(to), isOver)}
          editing={drawing}
        />
      </div>
      {lens && (
        <div
          className={styles.rim}
          style={{
            left: lens.at[0] - lens.radius,
            top: lens.at[1] - lens.radius,
            width: lens.radius * 2,
            height: lens.radius * 2,
          }}
        />
      )}
      {box && (
        <div
          className={styles.box}
          style={{
            left: Math.min(box.from[0], box.to[0]),
            top: Math.min(box.from[1], box.to[1]),
            width: Math.abs(box.to[0] - box.from[0]),
            height: Math.abs(box.to[1] - box.from[1]),
          }}
        />
      )}
    </>
  );
}

/** The magnifier shows another part of the image than the one to which the annotations around it belong. */
export const besideLens = ({ at: [x, y], radius }: PaneLens): string =>
  `radial-gradient(circle at ${x}px ${y}px, transparent ${radius - 1}px, black ${radius}px)`;
