import {
  createContext,
  use,
  useMemo,
  useState,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useEffect,
  useRef,
} from "react";
import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { computeTissueThresholds, type TissueThresholds } from "@arcada/imaging/surface/tissue-thresholds";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import type { VolumeClip } from "@arcada/imaging/view/volume-clip";
import { dot } from "@arcada/imaging/geometry/vector";
import type { CtViewerState } from "../layout/viewport-props.ts";
import type { CtControls } from "../use-ct-controls.ts";
import { createAirwayMesh, useAirway, type AirwayControls } from "./airway/use-airway.ts";
import type { RenderChoice } from "./render-presets.ts";
import type { CutChoice, RenderedMesh, Scene } from "./rendering-scene.ts";
import { useScanRegistration, type ScanRegistration } from "./scan/use-scan-registration.ts";
import type { RenderView } from "./camera-presets.ts";
import { defaultScene, serializeScene, parseScene } from "./rendering-scene.ts";
import { createUniqueKey } from "../../../browser/unique-id.ts";

export interface Rendering {
  matter: TissueThresholds | null;
  choice: RenderChoice;
  choose: (change: Partial<RenderChoice>) => void;
  view: RenderView | null;
  /** Null while a named view is shown. */
  camera: ModelCamera | null;
  showView: (view: RenderView) => void;
  setCamera: Dispatch<SetStateAction<ModelCamera | null>>;
  box: Pick<VolumeClip, "low" | "high">;
  setBox: (box: Pick<VolumeClip, "low" | "high">) => void;
  cut: CutChoice | null;
  setCut: (cut: CutChoice | null) => void;
  clip: VolumeClip;
  /** True once requested: without a graphics processor a rendering takes seconds and is drawn on request only. */
  isRequested: boolean;
  request: () => void;
  meshes: readonly RenderedMesh[];
  airway: AirwayControls;
  scan: ScanRegistration;
}

const RenderContext = createContext<Rendering | null>(null);

/** The context of the volume rendering: one image of the volume, whichever viewport of the layout shows it. */
export function RenderingProvider({ children, ...parts }: CtViewerState & { children: ReactNode }) {
  const { store, controls, load } = parts;
  const [{ choice, view, camera, box, cut }, change] = useRenderingScene(parts);
  const [isRequested, setRequested] = useState(() => getGraphicsCapabilities().kind === "gpu");
  const hasArrived = load.stage !== "waiting";
  const matter = useMemo(() => {
    const values = hasArrived ? (store.preview?.values ?? store.grid?.data) : undefined;
    return values ? computeTissueThresholds(values) : null;
  }, [store, hasArrived]);
  const airway = useAirway(parts, matter);
  const { measured } = airway;
  const airwayMeshes = useMemo(() => (measured ? [createAirwayMesh(measured)] : []), [measured]);
  const scan = useScanRegistration(parts, matter);
  const rendering: Rendering = {
    matter,
    choice,
    choose: (changes) => change((now) => ({ choice: { ...now.choice, ...changes } })),
    view,
    camera,
    showView: (name) => change(() => ({ view: name, camera: null })),
    setCamera: (next) =>
      change((now) => ({ view: null, camera: typeof next === "function" ? next(now.camera) : next })),
    box,
    setBox: (next) => change(() => ({ box: { low: next.low, high: next.high } })),
    cut,
    setCut: (next) => change(() => ({ cut: next })),
    clip: { ...box, cut: cut && createClipPlane(cut, controls) },
    isRequested,
    request: () => setRequested(true),
    meshes: [...airwayMeshes, ...scan.meshes],
    airway,
    scan,
  };
  return <RenderContext value={rendering}>{children}</RenderContext>;
}

const saveDelayMs = 1000;

/** The scene as it was left, saved with the annotations of the study a moment after its last change. */
function useRenderingScene({
  series,
  annotations,
  store: { info },
}: CtViewerState): [Scene, (change: (now: Scene) => Partial<Scene>) => void] {
  const owner = series.instances[0]?.id ?? null;
  const annotation = annotations.list.find(({ tool, instanceId }) => tool === "scene" && instanceId === owner);
  const [held, setHeld] = useState<Scene | null>(null);
  const stored = annotation ? parseScene(annotation, info) : defaultScene;
  const latest = useRef({ marks: annotations, mark: annotation });
  useEffect(() => void (latest.current = { marks: annotations, mark: annotation }));
  useEffect(() => {
    if (!held) return;
    const timer = setTimeout(() => {
      const { marks: now, mark: before } = latest.current;
      const { points, settings } = serializeScene(held, info);
      const own = { tool: "scene", instanceId: owner, plane: "volume", text: null, points, settings } as const;
      now.amend({ id: before?.id ?? createUniqueKey(), ...own });
    }, saveDelayMs);
    return () => clearTimeout(timer);
  }, [held, owner, info]);
  return [held ?? stored, (change) => setHeld((now) => ({ ...(now ?? stored), ...change(now ?? stored) }))];
}

export function useRendering(): Rendering {
  const rendering = use(RenderContext);
  if (!rendering) throw new Error("a rendered volume stands in its room");
  return rendering;
}

/**
 * Returns the cut that removes everything in front of the crosshair's plane, as the reader sees that plane, or
 * everything behind it if the cut is flipped.
 */
function createClipPlane(
  { plane, isFlipped: isTurned }: CutChoice,
  { planes, crosshair }: CtControls,
): NonNullable<VolumeClip["cut"]> {
  const { away } = planes[plane];
  const sign = isTurned ? 1 : -1;
  return { normal: [sign * away[0], sign * away[1], sign * away[2]], offset: sign * dot(crosshair, away) };
}
