import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Affine, Size } from "@arcada/imaging/view/image-view";
import { AnnotationLayer } from "../../annotations/layer/annotation-layer.tsx";
import type { LoadedImage, ImageFile } from "../loading/load-image.ts";
import { OverlayLayer, type OverlayToggle } from "./overlay-layer.tsx";
import styles from "../image-viewport.module.css";
import { PresentationStateLayer } from "./presentation-state-layer.tsx";
import type { ViewportLens } from "../use-lens.ts";
import type { ZoomBox } from "../use-image-pointer-handler.ts";
import type { ImageDrawing } from "../annotations/use-image-annotations.ts";

interface Props {
  loaded: LoadedImage;
  file: ImageFile | null;
  frame: number;
  matrix: Affine;
  viewport: Size;
  overlay: OverlayToggle;
  drawing: ImageDrawing;
  toImagePoint: (at: Point2D) => Point2D;
  lens: ViewportLens | null;
  zoomBox: ZoomBox | null;
}

/**
 * The layers over the canvas: the file's drawings, the annotations, the rim of the magnifier and a rectangle to be
 * enlarged.
 */
export function ViewportLayers({
  loaded,
  file,
  frame,
  matrix,
  viewport,
  overlay,
  drawing,
  toImagePoint,
  lens,
  zoomBox,
}: Props) {
  const { image, overlay: bits } = loaded;
  const drawn = file?.presentation?.drawn;
  return (
    <>
      <div className={styles.layers} style={lens ? { maskImage: maskOutsideLens(lens) } : undefined}>
        {overlay.isOn && bits && <OverlayLayer {...{ bits, image, matrix, viewport }} />}
        {overlay.isOn && drawn && <PresentationStateLayer {...{ drawn, frame, matrix }} />}
        <AnnotationLayer
          annotations={drawing.shown}
          chosen={drawing.chosen}
          onChoose={drawing.choose}
          onMove={(id, index, to, isOver) => drawing.movePoint(id, index, toImagePoint(to), isOver)}
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
      {zoomBox && (
        <div
          className={styles.box}
          style={{
            left: Math.min(zoomBox.from[0], zoomBox.to[0]),
            top: Math.min(zoomBox.from[1], zoomBox.to[1]),
            width: Math.abs(zoomBox.to[0] - zoomBox.from[0]),
            height: Math.abs(zoomBox.to[1] - zoomBox.from[1]),
          }}
        />
      )}
    </>
  );
}

/** The magnifier shows another part of the image than the one to which the annotations around it belong. */
export const maskOutsideLens = ({ at: [x, y], radius }: ViewportLens): string =>
  `radial-gradient(circle at ${x}px ${y}px, transparent ${radius - 1}px, black ${radius}px)`;
