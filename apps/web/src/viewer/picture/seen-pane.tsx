import { useMemo, useRef, useState } from "react";
import type { Geometry } from "@arcada/contract/analysis/observation";
import type { Instance } from "@arcada/contract/study/study.calls";
import type { Spot } from "@arcada/imaging/view/measure";
import { applied, fitted, panned, viewMatrix, zoomedAt, type Affine } from "@arcada/imaging/view/picture-view";
import type { PictureView, Size } from "@arcada/imaging/view/picture-view";
import { useTexts } from "../../kernel/texts.ts";
import { Failed, Loading } from "../frame/states.tsx";
import { useGestures } from "../frame/use-gestures.ts";
import { useSize } from "../frame/use-size.ts";
import { placedLabels, type Label } from "./label-places.ts";
import type { LoadedPicture, PictureFile } from "./load-picture.ts";
import styles from "./seen-pane.module.css";
import { usePainting } from "./use-painting.ts";
import { usePicture } from "./use-picture.ts";
import { draggedWindow } from "./window-drag.ts";

/** A shape detected in an image; `look` shows its state by more than its colour. */
export interface SeenShape {
  id: string;
  geometry: Geometry;
  look: "measured" | "open" | "accepted" | "rejected";
  label: string;
}
interface Props {
  instance: Instance;
  renew: () => Promise<PictureFile | null>;
  shapes: readonly SeenShape[];
  chosen: string | null;
  onChoose: (id: string) => void;
}

/**
 * An image with the detected shapes: panned by a drag, zoomed by wheel or two fingers, its window changed by the second
 * button.
 */
export function SeenPane({ instance, renew, ...shown }: Props) {
  const t = useTexts("viewer");
  const load = usePicture(instance, 0, renew);
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.part} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onAgain={load.again} />;
  return <Canvas {...shown} instance={instance} loaded={load.loaded} />;
}

function Canvas({ instance, loaded, shapes, chosen, onChoose }: Omit<Props, "renew"> & { loaded: LoadedPicture }) {
  const { picture } = loaded;
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useSize(pane);
  const [moved, move] = useState<PictureView | null>(null);
  const [window, setWindow] = useState(loaded.window);
  const view = useMemo(() => viewport && (moved ?? fitted(upright, picture, viewport)), [moved, picture, viewport]);
  const look = useMemo(() => ({ window, inverted: instance.picture?.inverted ?? false }), [window, instance]);
  const shown = useMemo(() => view && viewport && { view, look, viewport }, [view, look, viewport]);
  usePainting(host, picture, shown);
  const alter = (change: (now: PictureView, size: Size) => PictureView) =>
    view && viewport && move(change(view, viewport));
  const range = instance.picture ? instance.picture.max - instance.picture.min : 256;
  useGestures(pane, {
    drag: (_at, by, button) => {
      if (button === 2) setWindow((now) => draggedWindow(now, by, range));
      else alter((now, size) => panned(now, picture, size, by));
    },
    pinch: (at, factor, by) =>
      alter((now, size) => zoomedAt(panned(now, picture, size, by), picture, size, at, factor)),
    wheel: (at, notches) => alter((now, size) => zoomedAt(now, picture, size, at, Math.exp(-notches * 0.2))),
    double: () => move(null),
  });
  const matrix = view && viewport && viewMatrix(view, picture, viewport);
  const words = matrix && viewport ? placedLabels(labelsOf(shapes, chosen, matrix), viewport) : null;
  return (
    <div ref={pane} className={styles.pane}>
      <div ref={host} className={styles.host} />
      {matrix && (
        // The list beside the image says the same in words.
        <svg className={styles.layer} aria-hidden>
          {shapes.map((shape) => (
            <Shape
              key={shape.id}
              {...{ shape, matrix }}
              word={words?.get(shape.id)}
              isChosen={shape.id === chosen}
              onChoose={() => onChoose(shape.id)}
            />
          ))}
        </svg>
      )}
    </div>
  );
}
const upright: PictureView = { zoom: 1, centre: [0, 0], turns: 0, mirrored: false };

/** A measured shape is labelled only while it is selected; the labels of all others are always shown. */
const labelsOf = (shapes: readonly SeenShape[], chosen: string | null, matrix: Affine): Label[] =>
  shapes.flatMap(({ id, geometry, look, label: text }) => {
    const points = pointsOf(geometry).map((at) => applied(matrix, at));
    if (points.length === 0 || (id !== chosen && look === "measured")) return [];
    const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const middle = (Math.min(...across) + Math.max(...across)) / 2;
    return [{ id, text, at: [middle, Math.min(...down)], under: [middle, Math.max(...down)], isFirst: id === chosen }];
  });

interface ShapeProps {
  shape: SeenShape;
  matrix: Affine;
  /** The position at which its label begins; undefined if there is no space for it. */
  word: readonly [number, number] | undefined;
  isChosen: boolean;
  onChoose: () => void;
}
function Shape({ shape: { geometry, look, label }, matrix, word, isChosen, onChoose }: ShapeProps) {
  const points = pointsOf(geometry).map((at) => applied(matrix, at));
  const [first] = points;
  if (!first) return null;
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return (
    <g className={styles.shape} data-look={look} data-chosen={isChosen || undefined} onPointerDown={onChoose}>
      {geometry.kind === "point" ? (
        <circle cx={first[0]} cy={first[1]} r={5} />
      ) : geometry.kind === "line" ? (
        <polyline points={path} />
      ) : (
        <polygon points={path} />
      )}
      {word && (
        <text x={word[0]} y={word[1]}>
          {label}
        </text>
      )}
    </g>
  );
}

/** The corners in pixels of the image. */
function pointsOf(geometry: Geometry): readonly Spot[] {
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
