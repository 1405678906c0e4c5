import { useMemo, useState, type RefObject } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { atRest, inverted, moved, type Movement } from "@arcada/imaging/surface/movement";
import type { Spot } from "@arcada/imaging/view/measure";
import type { PatientFrame } from "@arcada/imaging/view/patient-frame";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { Vector } from "@arcada/imaging/view/vector";
import type { Marks } from "../marks/use-marks.ts";
import { useOtherTool } from "../marks/use-other-tool.ts";
import { useAlign, type Align } from "./align/use-align.ts";
import { usePoses } from "./align/use-poses.ts";
import { useFirstMap } from "./map/use-first-map.ts";
import { useMap, type DistanceMap, type MapPlan } from "./map/use-map.ts";
import type { Shading, ShownScene } from "./model-look.ts";
import { grounds, pictureFactor, savePicture } from "./model-picture.ts";
import type { ModelTool, SceneSwitches } from "./model-tools.tsx";
import { pickAt, type Pickable, type Picked } from "./picking.ts";
import { useMarkPins } from "./pins/mark-pins.ts";
import type { PinStore } from "./pins/pin-store.ts";
import { usePins, type Pins } from "./pins/use-pins.ts";
import type { ModelAddresses, SceneModel } from "./scene-model.ts";
import { useSection, type Section } from "./section/use-section.ts";
import type { SideTab } from "./side-panel.tsx";
import { useMeshes, type Meshes, type MeshLoad } from "./use-meshes.ts";
import { useModelCamera, useSubject, type ModelControls } from "./use-model-camera.ts";
import { lookingAgain, useOrientation, type SceneOrientation } from "./orientation/use-orientation.ts";
import { useModelHand, type CutLine } from "./use-model-hand.ts";
import { useModelLooks, type ModelLooks } from "./use-model-looks.ts";
import { useModelMarks, type ModelDrawing } from "./use-model-marks.ts";
import { useModelPainting, type ModelPainting } from "./use-model-painting.ts";
import { useSurfaces } from "./use-surfaces.ts";

export interface ModelRoom {
  meshes: Meshes;
  looks: ModelLooks;
  controls: ModelControls;
  orientation: SceneOrientation;
  section: Section;
  map: DistanceMap;
  align: Align;
  pins: Pins;
  drawing: ModelDrawing;
  painting: ModelPainting["state"];
  /** Null until there is something to show. */
  scene: Pickable | null;
  aligned: ReadonlySet<string>;
  ready: ReadonlySet<string>;
  pick: (at: Spot) => Picked | null;
  line: CutLine;
  tool: ModelTool;
  setTool: (tool: ModelTool) => void;
  tab: SideTab;
  setTab: (tab: SideTab) => void;
  switches: SceneSwitches;
  /** A message about an action that failed. */
  notice: string | null;
}

interface Places {
  pane: RefObject<HTMLDivElement | null>;
  host: RefObject<HTMLDivElement | null>;
  size: Size | null;
}

/** The inputs of a page to a scene of models. */
export interface RoomGiven {
  renew?: ((id: string) => Promise<ModelAddresses | null>) | undefined;
  /** The store of comments that are not annotations. */
  pins?: PinStore | undefined;
  /** The two models for whose distance map the scene was opened. */
  compares?: Pick<MapPlan, "a" | "b"> | undefined;
}

/** All state and actions of a scene of models. */
export function useModelRoom(
  models: readonly SceneModel[],
  marks: Marks,
  given: RoomGiven,
  { pane, host, size }: Places,
): ModelRoom {
  const ids = models.map(({ id }) => id);
  const meshes = useMeshes(models, given.renew);
  const { loads } = meshes;
  const poses = usePoses(marks, ids);
  const orientation = useOrientation({ models, loads, poses, marks });
  const sight = useSight({ models, loads, poses, size, frame: orientation.frame });
  const { controls, looks, section, map, surfaces, shown } = sight;
  const painting = useModelPainting(host, loads, shown);
  const scene = shown && { ...shown, surfaces };
  const pick = (at: Spot) => (scene ? pickAt(scene, at) : null);
  const drawing = useModelMarks(marks, ids, scene ?? { surfaces, poses, looks: looks.shown, section: null });
  const align = useAlign(marks, loads, poses, ids);
  const ofMarks = useMarkPins(marks);
  const pins = usePins(given.pins ?? ofMarks, ids, poses);
  const acts = useActs({ align, pins, drawing, scene }, given.compares ? "compare" : "models");
  useOtherTool(drawing, acts.tool);
  useFirstMap(given.compares, { models, loads, map, looks });
  const line = useModelHand(pane, {
    controls,
    drawing,
    pick,
    size,
    tool: acts.tool,
    onPlace: acts.place,
    onCut: (from, to) => {
      if (scene) section.cut(scene.camera, scene.size, from, to);
      acts.openSection();
    },
  });
  const [isLight, setLight] = useState(false);
  const picture = (withMarks: boolean) => {
    const kept = scene && painting.painter?.picture(scene, pictureFactor, grounds[isLight ? "light" : "dark"]);
    if (kept) savePicture(kept, withMarks ? { marks: drawing.shown, pins: pins.list, scene } : null, models);
  };
  return {
    ...acts,
    meshes,
    looks,
    controls,
    orientation: lookingAgain(orientation, controls),
    section,
    map,
    align,
    pins,
    drawing,
    scene,
    pick,
    line,
    painting: painting.state,
    aligned: new Set(poses.keys()),
    ready: new Set(surfaces.keys()),
    switches: { ...sight.shadings, isLight, toggleLight: () => setLight(!isLight), picture },
  };
}

interface Given {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  poses: ReadonlyMap<string, Movement>;
  size: Size | null;
  frame: PatientFrame;
}

/** The view of the scene: the camera, the colours and the section plane. */
function useSight({ models, loads, poses, size, frame }: Given) {
  const surfaces = useSurfaces(loads);
  const subject = useSubject(models, loads, poses, frame);
  const controls = useModelCamera(subject, size);
  const looks = useModelLooks(models, controls.view);
  const section = useSection(surfaces, poses, subject);
  const map = useMap(loads, poses, looks);
  const { camera } = controls;
  const [shading, setShading] = useState<Shading>("smooth");
  const shown = useMemo(
    (): ShownScene | null =>
      camera && size && { camera, size, looks: looks.shown, poses, shading, section: section.shown, tints: map.tints },
    [camera, size, looks.shown, poses, shading, section.shown, map.tints],
  );
  return { surfaces, controls, looks, section, map, shown, shadings: { shading, setShading } };
}

type Acting = Pick<ModelRoom, "tool" | "setTool" | "tab" | "setTab" | "notice"> & {
  place: (picked: Picked) => void;
  openSection: () => void;
};

/** The selected tool, the open side panel, and the action of a click on a model. */
function useActs(
  { align, pins, drawing, scene }: Pick<ModelRoom, "align" | "pins" | "drawing" | "scene">,
  first: SideTab,
): Acting {
  const t = useTexts("viewer");
  const [held, hold] = useState<ModelTool>("turn");
  const [tab, setTab] = useState<SideTab>(first);
  const [notice, setNotice] = useState<string | null>(null);
  // During a registration, a click sets a point of one of the two models.
  const tool = align.plan ? "align" : held === "align" ? "turn" : held;
  const measureWall = (picked: Picked) => {
    const wall = scene && wallAt(scene, picked);
    if (!wall) return setNotice(t("viewer.model.noWall"));
    drawing.add("thickness", wall, { instanceId: picked.id, plane: null });
  };
  return {
    tool,
    setTool: (next) => {
      setNotice(null);
      align.cancel();
      hold(next);
    },
    tab,
    setTab,
    notice,
    openSection: () => {
      setTab("section");
      hold("turn");
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

/** The point and its opposite on the other side of the wall, in the model's own space. */
function wallAt({ surfaces, poses }: Pickable, { id, point }: Picked): [Vector, Vector] | null {
  const own = moved(inverted(poses.get(id) ?? atRest), point);
  const wall = surfaces.get(id)?.opposite(own);
  return wall ? [own, wall] : null;
}
