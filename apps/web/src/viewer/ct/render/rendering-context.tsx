import { createContext, use, useMemo, useState, type Dispatch, type ReactNode, type SetStateAction } from "react";
import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { computeTissueThresholds, type TissueThresholds } from "@arcada/imaging/surface/tissue-thresholds";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Clip } from "@arcada/imaging/view/render-rays";
import { dot } from "@arcada/imaging/geometry/vector";
import type { CtViewerState } from "../layout/viewport-props.ts";
import type { CtControls } from "../use-ct-controls.ts";
import { createAirwayMesh, useAirway, type AirwayControls } from "./airway/use-airway.ts";
import type { RenderChoice } from "./render-presets.ts";
import type { CutChoice, RenderedMesh } from "./scene.ts";
import { useScene } from "./use-scene.ts";
import { useScanRegistration, type ScanRegistration } from "./scan/use-scan-registration.ts";
import type { RenderView } from "./render-views.ts";

export interface Rendering {
  matter: TissueThresholds | null;
  choice: RenderChoice;
  choose: (change: Partial<RenderChoice>) => void;
  view: RenderView | null;
  /** Null while a named view is shown. */
  camera: ModelCamera | null;
  showView: (view: RenderView) => void;
  setCamera: Dispatch<SetStateAction<ModelCamera | null>>;
  box: Pick<Clip, "low" | "high">;
  setBox: (box: Pick<Clip, "low" | "high">) => void;
  cut: CutChoice | null;
  setCut: (cut: CutChoice | null) => void;
  clip: Clip;
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
  const [{ choice, view, camera, box, cut }, change] = useScene(parts);
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
): NonNullable<Clip["cut"]> {
  const { away } = planes[plane];
  const sign = isTurned ? 1 : -1;
  return { normal: [sign * away[0], sign * away[1], sign * away[2]], offset: sign * dot(crosshair, away) };
}
