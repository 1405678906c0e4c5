import { useEffect, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import { SceneMesh } from "@arcada/imaging/gl/scene-mesh";
import { createBoxFromCorners, cropGeometry, cropSlices } from "@arcada/imaging/surface/voxel-box";
import type { TissueThresholds } from "@arcada/imaging/surface/tissue-thresholds";
import { identityTransform } from "@arcada/imaging/geometry/rigid-transform";
import { minus, plus, times, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import type { AirwayResult, AirwayJob, MeasuredAirway } from "./measure-airway.worker.ts";
import type { RenderedMesh } from "../rendering-scene.ts";

/** The box, the seed point and the threshold by which an airway is measured; stored as an annotation of the study. */
export interface AirwayPlan {
  low: Vector;
  high: Vector;
  seed: Vector;
  /** Grey value as stored. */
  threshold: number;
}

export interface AirwayControls {
  plan: AirwayPlan | null;
  state: "none" | "measuring" | "measured" | "noAir";
  measured: MeasuredAirway | null;
  /** True if measured on the preview. */
  isCoarse: boolean;
  begin: (seed: Vector) => void;
  /** Without `isOver` the drag has not ended yet: nothing is saved. */
  change: (plan: AirwayPlan, isOver?: boolean) => void;
  remove: () => void;
}

/** mm around the crosshair at first. */
const initialHalfSize: Vector = [22, 22, 32];
const restMs = 350;

export function useAirway(
  { series, annotations, store, load }: CtViewerState,
  matter: TissueThresholds | null,
): AirwayControls {
  const owner = series.instances[0]?.id ?? null;
  const annotation = annotations.list.find(({ tool, instanceId }) => tool === "airway" && instanceId === owner);
  const [held, setHeld] = useState<AirwayPlan | null>(null);
  const { info } = store;
  const stored = annotation ? readPlan(annotation, info, matter) : null;
  const plan = held ?? stored;
  const isWhole = load.stage === "full" || load.stage === "half";
  const key = stored && load.stage !== "waiting" ? JSON.stringify([stored, isWhole]) : null;
  const result = useMeasuredAirway(store, key);
  const put = ({ low, high, seed, threshold }: AirwayPlan) => {
    const points = [low, high, seed].map((point) => [...point]);
    annotations.put({
      tool: "airway",
      instanceId: owner,
      plane: "volume",
      points,
      text: null,
      ...(annotation && { id: annotation.id }),
      settings: { threshold: threshold * info.valueScale + info.valueOffset },
    });
  };
  return {
    plan,
    state: !annotation ? "none" : result.key !== key ? "measuring" : result.airway ? "measured" : "noAir",
    measured: annotation ? result.airway : null,
    isCoarse: !isWhole,
    begin: (seed) => {
      const half = plan ? times(minus(plan.high, plan.low), 0.5) : initialHalfSize;
      put({
        low: minus(seed, half),
        high: plus(seed, half),
        seed,
        threshold: plan?.threshold ?? matter?.soft ?? info.min,
      });
    },
    change: (next, isOver = true) => {
      setHeld(isOver ? null : next);
      if (isOver) put(next);
    },
    remove: () => annotation && annotations.remove(annotation.id),
  };
}

function readPlan(
  { points, settings }: Annotation,
  { valueScale, valueOffset, min }: VolumeInfo,
  matter: TissueThresholds | null,
): AirwayPlan {
  const [one = [], other = [], seed = []] = points;
  const given = settings?.["threshold"];
  const threshold = typeof given === "number" ? Math.round((given - valueOffset) / valueScale) : (matter?.soft ?? min);
  const ends = [toVector(one), toVector(other)] as const;
  const pick = (which: "min" | "max"): Vector => [
    Math[which](ends[0][0], ends[1][0]),
    Math[which](ends[0][1], ends[1][1]),
    Math[which](ends[0][2], ends[1][2]),
  ];
  return { low: pick("min"), high: pick("max"), seed: toVector(seed), threshold };
}

interface Result {
  key: string | null;
  airway: MeasuredAirway | null;
}

/** Measures in a worker a moment after the last change; outdated work is cancelled. */
function useMeasuredAirway(store: VolumeStore, key: string | null): Result {
  const [result, setResult] = useState<Result>({ key: null, airway: null });
  useEffect(() => {
    if (!key) return;
    let worker: Worker | undefined;
    const timer = setTimeout(() => {
      const [plan] = JSON.parse(key) as [AirwayPlan];
      const { grid } = store;
      if (!grid) return;
      worker = new Worker(new URL("./measure-airway.worker.ts", import.meta.url), { type: "module" });
      worker.addEventListener("message", ({ data }: MessageEvent<AirwayResult>) => {
        worker?.terminate();
        setResult({ key, airway: data.airway });
      });
      worker.addEventListener("error", () => setResult({ key, airway: null }));
      const box = createBoxFromCorners(grid.info, plan.low, plan.high);
      const data = cropSlices(grid, box, 0, box.count[2]);
      const job: AirwayJob = {
        grid: { info: cropGeometry(grid.info, box), data },
        threshold: plan.threshold,
        seed: plan.seed,
      };
      worker.postMessage(job, [data.buffer]);
    }, restMs);
    return () => {
      clearTimeout(timer);
      worker?.terminate();
    };
  }, [store, key]);
  return result;
}

/** The airway as a surface of the scene. */
export const createAirwayMesh = ({ surface }: MeasuredAirway): RenderedMesh => ({
  mesh: new SceneMesh({ ...surface, colours: null }),
  rigidTransform: identityTransform,
  colour: [0.25, 0.78, 0.9],
  opacity: 1,
  isShown: true,
  cut: "filled",
});
