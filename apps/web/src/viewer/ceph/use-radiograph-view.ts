import { useMemo, useRef, useState } from "react";
import type { CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import type { Instance } from "@arcada/contract/study/study.schema";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { applyAffine, invertAffine, computeViewMatrix, type Affine } from "@arcada/imaging/view/image-view";
import { useClientSize } from "../ui/viewport/use-client-size.ts";
import type { LoadedImage } from "../image/loading/load-image.ts";
import { useBlurredImage } from "../image/rendering/use-blurred-image.ts";
import { useLens } from "../image/use-lens.ts";
import { useImageRendering } from "../image/rendering/use-image-rendering.ts";
import { useImageView } from "../image/use-image-view.ts";

/**
 * The radiograph on its canvas: its orientation and display settings, the magnifier over it, and the transform from its
 * pixels to the screen.
 */
export function useRadiographView(instance: Instance, loaded: LoadedImage, turns: 0 | 1 | 2 | 3, hasLens: boolean) {
  const { image } = loaded;
  const file = instance.picture;
  const viewportRef = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useClientSize(viewportRef);
  const [viewStore] = useState(() => new Map());
  const displaySettings = { window: loaded.window, inverted: file?.inverted ?? false };
  const initial = { turns, mirrored: false, area: null, displaySettings } as const;
  const controls = useImageView(image, viewport, initial, { viewStore, id: instance.id });
  const { view, displaySettings: currentSettings } = controls;
  const lensControls = useLens(viewport);
  const lens = hasLens ? lensControls.lens : null;
  const shown = useMemo(
    () => view && viewport && { view, displaySettings: currentSettings, viewport, lens },
    [view, currentSettings, viewport, lens],
  );
  useImageRendering(host, image, shown, useBlurredImage(image, (currentSettings.sharpen ?? 0) > 0));
  // Coordinates are those of the source file's pixels; a derived image may be smaller.
  const matrix =
    view &&
    viewport &&
    scaleToSourceFile(computeViewMatrix(view, image, viewport), file ? image.columns / file.columns : 1);
  const inverse = matrix && invertAffine(matrix);
  const toImagePoint = (at: Point2D): CephImagePoint => {
    const [x, y] = inverse ? applyAffine(inverse, at) : at;
    return [Math.round(x * 100) / 100, Math.round(y * 100) / 100];
  };
  return { viewportRef, host, controls, lensControls, lens, matrix, toImagePoint };
}

const scaleToSourceFile = ({ a, b, c, d, e, f }: Affine, scale: number): Affine => ({
  a: a * scale,
  b: b * scale,
  c: c * scale,
  d: d * scale,
  e,
  f,
});
