import { useMemo, useRef, useState } from "react";
import type { ImageGeometry } from "@arcada/contract/analysis/observation";
import type { Instance } from "@arcada/contract/study/study.schema";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import {
  applyAffine,
  fitView,
  panView,
  computeViewMatrix,
  zoomViewAt,
  type Affine,
} from "@arcada/imaging/view/image-view";
import type { ImageView, Size } from "@arcada/imaging/view/image-view";
import { useTexts } from "../../../i18n/texts.ts";
import { Failed, Loading } from "../../ui/page/status-messages.tsx";
import { useGestures } from "../../ui/input/use-gestures.ts";
import { useClientSize } from "../../ui/viewport/use-client-size.ts";
import { placeLabels, type ShapeLabel } from "./place-labels.ts";
import type { LoadedImage, ImageFile } from "../loading/load-image.ts";
import styles from "./detected-shapes-viewer.module.css";
import { useImageRendering } from "../rendering/use-image-rendering.ts";
import { useLoadedImage } from "../loading/use-loaded-image.ts";
import { adjustWindowByDrag } from "../display-settings/adjust-window-by-drag.ts";

/** A shape detected in an image; `look` shows its state by more than its colour. */
export interface DetectedShape {
  id: string;
  geometry: ImageGeometry;
  status: "measured" | "open" | "accepted" | "rejected";
  label: string;
}
interface Props {
  instance: Instance;
  renew: () => Promise<ImageFile | null>;
  shapes: readonly DetectedShape[];
  chosen: string | null;
  onChoose: (id: string) => void;
}

/**
 * An image with the detected shapes: panned by a drag, zoomed by wheel or two fingers, its window changed by the second
 * button.
 */
export function DetectedShapesViewer({ instance, renew, ...canvasProps }: Props) {
  const t = useTexts("viewer");
  const load = useLoadedImage(instance, 0, renew);
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.progress} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onRetry={load.retry} />;
  return <DetectedShapesCanvas {...canvasProps} instance={instance} loaded={load.loaded} />;
}

function DetectedShapesCanvas({
  instance,
  loaded,
  shapes,
  chosen,
  onChoose,
}: Omit<Props, "renew"> & { loaded: LoadedImage }) {
  const { image } = loaded;
  const viewportRef = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useClientSize(viewportRef);
  const [movedView, setMovedView] = useState<ImageView | null>(null);
  const [window, setWindow] = useState(loaded.window);
  const view = useMemo(
    () => viewport && (movedView ?? fitView(uprightView, image, viewport)),
    [movedView, image, viewport],
  );
  const displaySettings = useMemo(
    () => ({ window, inverted: instance.picture?.inverted ?? false }),
    [window, instance],
  );
  const renderedView = useMemo(
    () => view && viewport && { view, displaySettings, viewport },
    [view, displaySettings, viewport],
  );
  useImageRendering(host, image, renderedView);
  const changeView = (change: (now: ImageView, size: Size) => ImageView) =>
    view && viewport && setMovedView(change(view, viewport));
  const range = instance.picture ? instance.picture.max - instance.picture.min : 256;
  useGestures(viewportRef, {
    drag: (_at, by, button) => {
      if (button === 2) setWindow((now) => adjustWindowByDrag(now, by, range));
      else changeView((now, size) => panView(now, image, size, by));
    },
    pinch: (at, factor, by) =>
      changeView((now, size) => zoomViewAt(panView(now, image, size, by), image, size, at, factor)),
    wheel: (at, notches) => changeView((now, size) => zoomViewAt(now, image, size, at, Math.exp(-notches * 0.2))),
    doubleClick: () => setMovedView(null),
  });
  const matrix = view && viewport && computeViewMatrix(view, image, viewport);
  const labelPositions = matrix && viewport ? placeLabels(listLabels(shapes, chosen, matrix), viewport) : null;
  return (
    <div ref={viewportRef} className={styles.pane}>
      <div ref={host} className={styles.host} />
      {matrix && (
        // The list beside the image states the same in words.
        <svg className={styles.layer} aria-hidden>
          {shapes.map((shape) => (
            <Shape
              key={shape.id}
              {...{ shape, matrix }}
              labelPosition={labelPositions?.get(shape.id)}
              isChosen={shape.id === chosen}
              onChoose={() => onChoose(shape.id)}
            />
          ))}
        </svg>
      )}
    </div>
  );
}
const uprightView: ImageView = { zoom: 1, centre: [0, 0], turns: 0, mirrored: false };

/** A measured shape is labelled only while it is selected; the labels of all others are always shown. */
const listLabels = (shapes: readonly DetectedShape[], chosen: string | null, matrix: Affine): ShapeLabel[] =>
  shapes.flatMap(({ id, geometry, status, label: text }) => {
    const points = toPoints(geometry).map((at) => applyAffine(matrix, at));
    if (points.length === 0 || (id !== chosen && status === "measured")) return [];
    const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const middle = (Math.min(...across) + Math.max(...across)) / 2;
    return [{ id, text, at: [middle, Math.min(...down)], under: [middle, Math.max(...down)], isFirst: id === chosen }];
  });

interface ShapeProps {
  shape: DetectedShape;
  matrix: Affine;
  /** The position at which its label begins; undefined if there is no space for it. */
  labelPosition: readonly [number, number] | undefined;
  isChosen: boolean;
  onChoose: () => void;
}
function Shape({ shape: { geometry, status, label }, matrix, labelPosition, isChosen, onChoose }: ShapeProps) {
  const points = toPoints(geometry).map((at) => applyAffine(matrix, at));
  const [first] = points;
  if (!first) return null;
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return (
    <g className={styles.shape} data-look={status} data-chosen={isChosen || undefined} onPointerDown={onChoose}>
      {geometry.kind === "point" ? (
        <circle cx={first[0]} cy={first[1]} r={5} />
      ) : geometry.kind === "line" ? (
        <polyline points={path} />
      ) : (
        <polygon points={path} />
      )}
      {labelPosition && (
        <text x={labelPosition[0]} y={labelPosition[1]}>
          {label}
        </text>
      )}
    </g>
  );
}

/** The corners in pixels of the image. */
function toPoints(geometry: ImageGeometry): readonly Point2D[] {
  if (geometry.kind === "point") return [geometry.at];
  if (geometry.kind !== "box") return geometry.points;
  const { left, top, right, bottom } = geometry;
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}
