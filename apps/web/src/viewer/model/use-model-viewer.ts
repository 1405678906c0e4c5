import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useTexts } from "../../i18n/texts.ts";
import {
  identityTransform,
  invertTransform,
  transformPoint,
  type RigidTransform,
} from "@arcada/imaging/geometry/rigid-transform";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { PatientFrame } from "@arcada/imaging/geometry/patient-frame";
import type { Size } from "@arcada/imaging/view/image-view";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { useFinishDraftOnToolChange } from "../annotations/drawing/use-finish-draft-on-tool-change.ts";
import { useAlign, type ModelAlignment } from "./align/use-align.ts";
import { useAlignedPoses } from "./align/use-aligned-poses.ts";
import { useInitialDistanceMap } from "./distance-map/use-initial-distance-map.ts";
import { useDistanceMap, type DistanceMap, type DistanceMapRequest } from "./distance-map/use-distance-map.ts";
import type { Shading, RenderedScene } from "./rendering/model-display-settings.ts";
import { backgrounds, imageScale, saveModelImage } from "./save-model-image.ts";
import type { ModelTool, SceneSwitches } from "./model-toolbar.tsx";
import { pickPoint, type PickableScene, type PickedPoint } from "./pick-point.ts";
import { useAnnotationPins } from "./pins/use-annotation-pins.ts";
import type { PinStore } from "./pins/pin-store.ts";
import { usePins, type Pins } from "./pins/use-pins.ts";
import type { ModelAddresses, SceneModel } from "./scene-model.ts";
import { useSection, type Section } from "./section/use-section.ts";
import type { SideTab } from "./side-panel.tsx";
import { isCoarse, useMeshes, type Meshes, type MeshLoad } from "./mesh/use-meshes.ts";
import { useModelCamera, useCameraSubject, type CameraControls } from "./rendering/use-model-camera.ts";
import { withViewReset, useOrientation, type SceneOrientation } from "./orientation/use-orientation.ts";
import { useModelPointerHandler, type CutLine } from "./use-model-pointer-handler.ts";
import { useModelDisplaySettings, type ModelDisplayControls } from "./rendering/use-model-display-settings.ts";
import { useModelAnnotations, type ModelDrawing } from "./use-model-annotations.ts";
import { useModelRenderer, type ModelRendererState } from "./rendering/use-model-renderer.ts";
import { findModelsWithoutTree, useSurfaceTrees } from "./mesh/use-surface-trees.ts";

export interface ModelViewerState {
  meshes: Meshes;
  displaySettings: ModelDisplayControls;
  controls: CameraControls;
  orientation: SceneOrientation;
  section: Section;
  map: DistanceMap;
  align: ModelAlignment;
  pins: Pins;
  drawing: ModelDrawing;
  rendererState: ModelRendererState["state"];
  /** Null until there is something to show. */
  scene: PickableScene | null;
  aligned: ReadonlySet<string>;
  ready: ReadonlySet<string>;
  pick: (at: Point2D) => PickedPoint | null;
  line: CutLine;
  tool: ModelTool;
  setTool: (tool: ModelTool) => void;
  tab: SideTab;
  setTab: (tab: SideTab) => void;
  switches: SceneSwitches;
  /** A message about an action that failed. */
  notice: string | null;
}

interface ViewportElements {
  viewport: RefObject<HTMLDivElement | null>;
  host: RefObject<HTMLDivElement | null>;
  size: Size | null;
}

/** The inputs of a page to a scene of models. */
export interface ModelViewerInputs {
  renew?: ((id: string) => Promise<ModelAddresses | null>) | undefined;
  /** The store of comments that are not annotations. */
  pins?: PinStore | undefined;
  /** The two models for whose distance map the scene was opened. */
  compares?: Pick<DistanceMapRequest, "a" | "b"> | undefined;
  /** Called once the loading of all models has ended, with the ids of those that are shown. */
  onLoaded?: ((shown: readonly string[]) => void) | undefined;
}

/** All state and actions of a scene of models. */
export function useModelViewer(
  models: readonly SceneModel[],
  annotations: AnnotationStore,
  given: ModelViewerInputs,
  { viewport, host, size }: ViewportElements,
): ModelViewerState {
  const ids = models.map(({ id }) => id);
  const meshes = useMeshes(models, given.renew);
  const { loads } = meshes;
  useLoadedNotification(ids, loads, given.onLoaded);
  const poses = useAlignedPoses(annotations, ids);
  const orientation = useOrientation({ models, loads, poses, annotations });
  const sceneView = useSceneView({ models, loads, poses, size, frame: orientation.frame });
  const { controls, looks: displaySettings, section, map, surfaces, shown } = sceneView;
  const rendering = useModelRenderer(host, loads, shown);
  const scene = shown && { ...shown, surfaces, withoutTree: findModelsWithoutTree(loads) };
  const pick = (at: Point2D) => (scene ? pickPoint(scene, at) : null);
  const drawing = useModelAnnotations(
    annotations,
    ids,
    scene ?? { surfaces, poses, displaySettings: displaySettings.effective, section: null },
  );
  const align = useAlign(annotations, loads, poses, ids);
  const annotationPins = useAnnotationPins(annotations);
  const pins = usePins(given.pins ?? annotationPins, ids, poses);
  const actions = useToolActions({ align, pins, drawing, scene }, given.compares ? "compare" : "models");
  useFinishDraftOnToolChange(drawing, actions.tool);
  useInitialDistanceMap(given.compares, { models, loads, map, displaySettings });
  const line = useModelPointerHandler(viewport, {
    controls,
    drawing,
    pick,
    size,
    tool: actions.tool,
    onPlace: actions.place,
    onCut: (from, to) => {
      if (scene) section.cut(scene.camera, scene.size, from, to);
      actions.openSection();
    },
  });
  const [isLight, setLight] = useState(false);
  const saveImage = (withAnnotations: boolean) => {
    const image = scene && rendering.renderer?.captureImage(scene, imageScale, backgrounds[isLight ? "light" : "dark"]);
    if (image)
      saveModelImage(image, withAnnotations ? { annotations: drawing.shown, pins: pins.list, scene } : null, models);
  };
  return {
    ...actions,
    meshes,
    displaySettings,
    controls,
    orientation: withViewReset(orientation, controls),
    section,
    map,
    align,
    pins,
    drawing,
    scene,
    pick,
    line,
    rendererState: rendering.state,
    aligned: new Set(poses.keys()),
    ready: new Set(surfaces.keys()),
    switches: {
      ...sceneView.shadings,
      isLight,
      toggleLight: () => setLight(!isLight),
      saveImage: isCoarse(loads) ? null : saveImage,
    },
  };
}

/** Calls `onLoaded` whenever no model is loading any more. */
function useLoadedNotification(
  ids: readonly string[],
  loads: ReadonlyMap<string, MeshLoad>,
  onLoaded: ModelViewerInputs["onLoaded"],
): void {
  const isLoading = ids.some((id) => (loads.get(id)?.state ?? "loading") === "loading");
  const shown = ids.filter((id) => loads.get(id)?.state === "ready").join("\n");
  const latest = useRef(onLoaded);
  useEffect(() => void (latest.current = onLoaded));
  useEffect(() => {
    if (!isLoading && shown !== "") latest.current?.(shown.split("\n"));
  }, [isLoading, shown]);
}

interface SceneInputs {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  poses: ReadonlyMap<string, RigidTransform>;
  size: Size | null;
  frame: PatientFrame;
}

/** The view of the scene: the camera, the colours and the section plane. */
function useSceneView({ models, loads, poses, size, frame }: SceneInputs) {
  const surfaces = useSurfaceTrees(loads);
  const subject = useCameraSubject(models, loads, poses, frame);
  const controls = useModelCamera(subject, size);
  const displaySettings = useModelDisplaySettings(models, controls.view);
  const section = useSection(surfaces, poses, subject);
  const map = useDistanceMap(loads, poses, displaySettings);
  const { camera } = controls;
  const [shading, setShading] = useState<Shading>("smooth");
  const shown = useMemo(
    (): RenderedScene | null =>
      camera &&
      size && {
        camera,
        size,
        displaySettings: displaySettings.effective,
        poses,
        shading,
        section: section.shown,
        tints: map.tints,
      },
    [camera, size, displaySettings.effective, poses, shading, section.shown, map.tints],
  );
  return { surfaces, controls, looks: displaySettings, section, map, shown, shadings: { shading, setShading } };
}

type ToolActions = Pick<ModelViewerState, "tool" | "setTool" | "tab" | "setTab" | "notice"> & {
  place: (picked: PickedPoint) => void;
  openSection: () => void;
};

/** The selected tool, the open side panel, and the action of a click on a model. */
function useToolActions(
  { align, pins, drawing, scene }: Pick<ModelViewerState, "align" | "pins" | "drawing" | "scene">,
  first: SideTab,
): ToolActions {
  const t = useTexts("viewer");
  const [held, setHeld] = useState<ModelTool>("turn");
  const [tab, setTab] = useState<SideTab>(first);
  const [notice, setNotice] = useState<string | null>(null);
  // During a registration, a click sets a point of one of the two models.
  const tool = align.plan ? "align" : held === "align" ? "turn" : held;
  const measureWall = (picked: PickedPoint) => {
    const wall = scene && findOppositeWall(scene, picked);
    if (!wall) return setNotice(t("viewer.model.noWall"));
    drawing.add("thickness", wall, { instanceId: picked.id, plane: null });
  };
  return {
    tool,
    setTool: (next) => {
      setNotice(null);
      align.cancel();
      setHeld(next);
    },
    tab,
    setTab,
    notice,
    openSection: () => {
      setTab("section");
      setHeld("turn");
    },
    place: (picked) => {
      setNotice(null);
      if (tool === "thickness") measureWall(picked);
      if (tool === "align") align.place(picked);
      if (tool !== "pin") return;
      pins.begin(picked);
      setTab("pins");
    },
  };
}

/** The point and its opposite on the other side of the wall, in the model's own coordinates. */
function findOppositeWall({ surfaces, poses }: PickableScene, { id, point }: PickedPoint): [Vector, Vector] | null {
  const own = transformPoint(invertTransform(poses.get(id) ?? identityTransform), point);
  const wall = surfaces.get(id)?.findOpposite(own);
  return wall ? [own, wall] : null;
}
