import { useEffect, useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { SceneMesh } from "@arcada/imaging/gl/scene-mesh";
import { boxOfCorners, croppedGeometry, croppedSlices } from "@arcada/imaging/surface/crop";
import type { Matter } from "@arcada/imaging/surface/matter";
import { atRest } from "@arcada/imaging/surface/movement";
import { minus, plus, times, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { CtParts } from "../layout/pane-props.ts";
import type { VolumeStore } from "../volume-store.ts";
import type { AirwayAnswer, AirwayJob, MeasuredAirway } from "./airway.worker.ts";
import type { RenderedMesh } from "./render-room.tsx";

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
const reach: Vector = [22, 22, 32];
const rest = 350;

export function useAirway({ series, marks, store, load }: CtParts, matter: Matter | null): AirwayControls {
  const owner = series.instances[0]?.id ?? null;
  const mark = marks.list.find(({ tool, instanceId }) => tool === "airway" && instanceId === owner);
  const [held, hold] = useState<AirwayPlan | null>(null);
  const { info } = store;
  const kept = mark ? planOf(mark, info, matter) : null;
  const plan = held ?? kept;
  const isWhole = load.stage === "full" || load.stage === "half";
  const key = kept && load.stage !== "waiting" ? JSON.stringify([kept, isWhole]) : null;
  const result = useMeasured(store, key);
  const put = ({ low, high, seed, threshold }: AirwayPlan) => {
    const points = [low, high, seed].map((point) => [...point]);
    marks.put({
      tool: "airway",
      instanceId: owner,
      plane: "volume",
      points,
      text: null,
      ...(mark && { id: mark.id }),
      settings: { threshold: threshold * info.valueScale + info.valueOffset },
    });
  };
  return {
    plan,
    state: !mark ? "none" : result.key !== key ? "measuring" : result.airway ? "measured" : "noAir",
    measured: mark ? result.airway : null,
    isCoarse: !isWhole,
    begin: (seed) => {
      const half = plan ? times(minus(plan.high, plan.low), 0.5) : reach;
      put({
        low: minus(seed, half),
        high: plus(seed, half),
        seed,
        threshold: plan?.threshold ?? matter?.soft ?? info.min,
      });
    },
    change: (next, isOver = true) => {
      hold(isOver ? null : next);
      if (isOver) put(next);
    },
    remove: () => mark && marks.remove(mark.id),
  };
}

function planOf(
  { points, settings }: Mark,
  { valueScale, valueOffset, min }: VolumeInfo,
  matter: Matter | null,
): AirwayPlan {
  const [one = [], other = [], seed = []] = points;
  const given = settings?.["threshold"];
  const threshold = typeof given === "number" ? Math.round((given - valueOffset) / valueScale) : (matter?.soft ?? min);
  const ends = [vectorOf(one), vectorOf(other)] as const;
  const pick = (which: "min" | "max"): Vector => [
    Math[which](ends[0][0], ends[1][0]),
    Math[which](ends[0][1], ends[1][1]),
    Math[which](ends[0][2], ends[1][2]),
  ];
  return { low: pick("min"), high: pick("max"), seed: vectorOf(seed), threshold };
}

interface Result {
  key: string | null;
  airway: MeasuredAirway | null;
}

/** Measures in a worker a moment after the last change; outdated work is cancelled. */
function useMeasured(store: VolumeStore, key: string | null): Result {
  const [result, setResult] = useState<Result>({ key: null, airway: null });
  useEffect(() => {
    if (!key) return;
    let worker: Worker | undefined;
    const timer = setTimeout(() => {
      const [plan] = JSON.parse(key) as [AirwayPlan];
      const { grid } = store;
      if (!grid) return;
      worker = new Worker(new URL("./airway.worker.ts", import.meta.url), { type: "module" });
      worker.addEventListener("message", ({ data }: MessageEvent<AirwayAnswer>) => {
        worker?.terminate();
        setResult({ key, airway: data.airway });
      });
      worker.addEventListener("error", () => setResult({ key, airway: null }));
      const box = boxOfCorners(grid.info, plan.low, plan.high);
      const data = croppedSlices(grid, box, 0, box.count[2]);
      const job: AirwayJob = {
        grid: { info: croppedGeometry(grid.info, box), data },
        threshold: plan.threshold,
        seed: plan.seed,
      };
      worker.postMessage(job, [data.buffer]);
    }, rest);
    return () => {
      clearTimeout(timer);
      worker?.terminate();
    };
  }, [store, key]);
  return result;
}

/** The airway as a surface of the scene. */
export const airwayMesh = ({ surface }: MeasuredAirway): RenderedMesh => ({
  mesh: new SceneMesh({ ...surface, colours: null }),
  movement: atRest,
  colour: [0.25, 0.78, 0.9],
  opacity: 1,
  isShown: true,
  cut: "filled",
});
