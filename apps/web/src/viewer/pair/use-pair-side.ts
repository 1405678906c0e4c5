import { useMemo, useRef, type RefObject } from "react";
import type { Movement } from "@arcada/imaging/surface/movement";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { useSize } from "../frame/use-size.ts";
import { useOwnMarks } from "../marks/own-marks.ts";
import type { ShownScene } from "../model/model-look.ts";
import { useOrientation, type SceneOrientation } from "../model/orientation/use-orientation.ts";
import type { ModelAddresses, SceneModel } from "../model/scene-model.ts";
import { useMeshes, type Meshes } from "../model/use-meshes.ts";
import { useSubject, type Subject } from "../model/use-model-camera.ts";
import { useModelLooks } from "../model/use-model-looks.ts";
import { useModelPainting, type ModelPainting } from "../model/use-model-painting.ts";

export interface PairView {
  pane: RefObject<HTMLDivElement | null>;
  host: RefObject<HTMLDivElement | null>;
  size: Size | null;
  meshes: Meshes;
  subject: Subject | null;
  orientation: SceneOrientation;
}

const noPoses: ReadonlyMap<string, Movement> = new Map();
const noTints: ReadonlyMap<string, Uint16Array> = new Map();

/** The state of one side, before the shared camera is known. */
export function usePairView(
  models: readonly SceneModel[],
  renew: (id: string) => Promise<ModelAddresses | null>,
): PairView {
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const meshes = useMeshes(models, renew);
  const marks = useOwnMarks();
  const orientation = useOrientation({ models, loads: meshes.loads, poses: noPoses, marks });
  const subject = useSubject(models, meshes.loads, noPoses, orientation.frame);
  return { pane, host, size, meshes, subject, orientation };
}

/** Keeps one side rendered. */
export function usePairPainting(
  { host, size, meshes }: PairView,
  models: readonly SceneModel[],
  camera: ModelCamera | null,
): ModelPainting["state"] {
  const { shown: looks } = useModelLooks(models, null);
  const shown = useMemo(
    (): ShownScene | null =>
      camera && size && { camera, size, looks, poses: noPoses, shading: "smooth", section: null, tints: noTints },
    [camera, size, looks],
  );
  return useModelPainting(host, meshes.loads, shown).state;
}
