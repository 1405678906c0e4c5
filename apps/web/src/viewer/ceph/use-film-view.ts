import { useMemo, useRef, useState } from "react";
import type { CephSpot } from "@arcada/contract/ceph/ceph.shape";
import type { Instance } from "@arcada/contract/study/study.calls";
import type { Spot } from "@arcada/imaging/view/measure";
import { applied, inverted, viewMatrix, type Affine } from "@arcada/imaging/view/picture-view";
import { useSize } from "../frame/use-size.ts";
import type { LoadedPicture } from "../picture/load-picture.ts";
import { useBlurred } from "../picture/use-blurred.ts";
import { useLens } from "../picture/use-lens.ts";
import { usePainting } from "../picture/use-painting.ts";
import { usePictureView } from "../picture/use-picture-view.ts";

/**
 * The radiograph on its canvas: its orientation and display settings, the magnifier over it, and the transform from its
 * pixels to the screen.
 */
export function useFilmView(instance: Instance, loaded: LoadedPicture, turns: 0 | 1 | 2 | 3, hasLens: boolean) {
  const { picture } = loaded;
  const file = instance.picture;
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useSize(frame);
  const [shelf] = useState(() => new Map());
  const look = { window: loaded.window, inverted: file?.inverted ?? false };
  const start = { turns, mirrored: false, area: null, look } as const;
  const controls = usePictureView(picture, viewport, start, { shelf, id: instance.id });
  const { view, look: looked } = controls;
  const lenses = useLens(viewport);
  const lens = hasLens ? lenses.lens : null;
  const shown = useMemo(
    () => view && viewport && { view, look: looked, viewport, lens },
    [view, looked, viewport, lens],
  );
  usePainting(host, picture, shown, useBlurred(picture, (looked.sharpen ?? 0) > 0));
  // Coordinates are those of the source file's pixels; a derived image may be smaller.
  const matrix =
    view && viewport && fromOriginal(viewMatrix(view, picture, viewport), file ? picture.columns / file.columns : 1);
  const back = matrix && inverted(matrix);
  const spotOf = (at: Spot): CephSpot => {
    const [x, y] = back ? applied(back, at) : at;
    return [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
  };
  return { frame, host, controls, lenses, lens, matrix, spotOf };
}

const fromOriginal = ({ a, b, c, d, e, f }: Affine, scale: number): Affine => ({
  a: a * scale,
  b: b * scale,
  c: c * scale,
  d: d * scale,
  e,
  f,
});
