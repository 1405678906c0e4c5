import { useMemo, useRef, type RefObject } from "react";
import type { RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import { useClientSize } from "../ui/viewport/use-client-size.ts";
import { useUnsavedAnnotations } from "../annotations/store/use-temporary-annotations.ts";
import type { RenderedScene } from "../model/rendering/model-display-settings.ts";
import { useOrientation, type SceneOrientation } from "../model/orientation/use-orientation.ts";
import type { ModelAddresses, SceneModel } from "../model/scene-model.ts";
import { useMeshes, type Meshes } from "../model/mesh/use-meshes.ts";
import { useCameraSubject, type CameraSubject } from "../model/rendering/use-model-camera.ts";
import { useModelDisplaySettings } from "../model/rendering/use-model-display-settings.ts";
import { useModelRenderer, type ModelRendererState } from "../model/rendering/use-model-renderer.ts";

export interface SideView {
  viewportRef: RefObject<HTMLDivElement | null>;
  host: RefObject<HTMLDivElement | null>;
  size: Size | null;
  meshes: Meshes;
  subject: CameraSubject | null;
  orientation: SceneOrientation;
}

const noPoses: ReadonlyMap<string, RigidTransform> = new Map();
const noTints: ReadonlyMap<string, Uint16Array> = new Map();

/** The state of one side, before the shared camera is known. */
export function useSideView(
  models: readonly SceneModel[],
  renew: (id: string) => Promise<ModelAddresses | null>,
): SideView {
  const viewportRef = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const size = useClientSize(viewportRef);
  const meshes = useMeshes(models, renew);
  const annotations = useUnsavedAnnotations();
  const orientation = useOrientation({ models, loads: meshes.loads, poses: noPoses, annotations });
  const subject = useCameraSubject(models, meshes.loads, noPoses, orientation.frame);
  return { viewportRef, host, size, meshes, subject, orientation };
}

/** Keeps one side rendered. */
export function useSideRendering(
  { host, size, meshes }: SideView,
  models: readonly SceneModel[],
  camera: ModelCamera | null,
): ModelRendererState["state"] {
  const { effective: displaySettings } = useModelDisplaySettings(models, null);
  const shown = useMemo(
    (): RenderedScene | null =>
      camera &&
      size && {
        camera,
        size,
        displaySettings,
        poses: noPoses,
        shading: "smooth",
        section: null,
        tints: noTints,
      },
    [camera, size, displaySettings],
  );
  return useModelRenderer(host, meshes.loads, shown).state;
}
