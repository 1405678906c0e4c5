import { useEffect, useMemo, useRef, useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { studyCalls, type Study } from "@arcada/contract/study/study.calls";
import { SceneMesh } from "@arcada/imaging/gl/scene-mesh";
import { boxOfCorners } from "@arcada/imaging/surface/crop";
import type { GridValues } from "@arcada/imaging/surface/grid-values";
import { crownsOf, type Matter } from "@arcada/imaging/surface/matter";
import { atRest, moved, type Movement } from "@arcada/imaging/surface/movement";
import { movementOfPairs } from "@arcada/imaging/surface/registration";
import type { Vector } from "@arcada/imaging/view/vector";
import { useCall } from "../../../kernel/use-call.ts";
import type { ReadyMesh } from "../../model/mesh.worker.ts";
import type { SceneModel } from "../../model/scene-model.ts";
import { useMeshes } from "../../model/use-meshes.ts";
import type { CtParts } from "../layout/pane-props.ts";
import { makeSurface } from "./make-surface.ts";
import type { RenderedMesh } from "./render-room.tsx";
import type { ScanFit, ScanFitJob } from "./scan-fit.worker.ts";

/** The same point on the scan (mm of its file) and in the patient. */
export interface ScanPair {
  scan: Vector;
  volume: Vector | null;
}

export interface ScanLook {
  isShown: boolean;
  hasOutline: boolean;
  isByDistance: boolean;
}

export interface ScanControls {
  /** The scan that is being registered; null if none has been chosen. */
  chosen: { study: string; instance: string } | null;
  choose: (study: string, instance: string) => void;
  mesh: ReadyMesh | null;
  model: SceneModel | null;
  hasFailed: boolean;
  /** True while points are being picked. */
  isPicking: boolean;
  pairs: readonly ScanPair[];
  pick: (where: "scan" | "volume", point: Vector) => void;
  undo: () => void;
  /** mm between the pairs, root mean square; null before there are three. */
  pairsRms: number | null;
  fit: () => void;
  state: "open" | "fitting" | "fitted" | "failed";
  result: { rms: number; pairs: number } | null;
  /** True if the scan can be coloured by its distance: the distances are known for a while after a fit. */
  hasDistances: boolean;
  look: ScanLook;
  setLook: (look: ScanLook) => void;
  /** The scan in the coordinates of its own file, for picking. */
  own: SceneMesh | null;
  meshes: readonly RenderedMesh[];
  remove: () => void;
}

export function useScan(parts: CtParts, matter: Matter | null): ScanControls {
  const { series, marks } = parts;
  const owner = series.instances[0]?.id ?? "";
  const mark = marks.list.find(({ tool, settings }) => tool === "registration" && settings?.["onto"] === owner);
  const [asked, ask] = useState<ScanControls["chosen"]>(null);
  const [pairs, setPairs] = useState<readonly ScanPair[]>([]);
  const [look, setLook] = useState<ScanLook>({ isShown: true, hasOutline: true, isByDistance: false });
  const kept = mark && keptIn(mark);
  const chosen = asked ?? (kept ? { study: kept.study, instance: kept.instance } : null);
  // A user who sees only a single study may not fetch another.
  const { model, mesh, hasFailed } = useScanMesh(parts.patientId === null ? null : chosen);
  const own = useMemo(() => mesh && sceneMeshOf(mesh), [mesh]);
  const whole = pairs.flatMap(({ scan, volume }) => (volume ? [{ scan, volume }] : []));
  const first = whole.length >= 3 ? movementOfPairs(...sidesOf(whole)) : null;
  const fitting = useFitting(parts, matter);
  const rows = asked ? null : kept?.rows;
  const movement = useMemo(() => (rows ? (JSON.parse(rows) as Movement) : null), [rows]);
  const colours = fitting.last?.colours;
  const byDistance = useMemo(
    () => (own && colours?.length === own.positions.length ? new SceneMesh({ ...own, colours }) : null),
    [own, colours],
  );
  const shown = look.isByDistance && byDistance ? byDistance : own;
  const meshes = useMemo(() => (shown && movement ? [placed(shown, movement, look)] : []), [shown, movement, look]);
  return {
    chosen,
    choose: (study, instance) => {
      setPairs([]);
      ask({ study, instance });
    },
    mesh,
    model,
    hasFailed,
    isPicking: asked !== null,
    pairs,
    pick: (where, point) => setPairs((now) => withPoint(now, where, point)),
    undo: () => setPairs((now) => withoutLast(now)),
    pairsRms: first?.rms ?? null,
    fit: () => {
      if (!chosen || !mesh || !first) return;
      fitting.begin(mesh, first.movement, (found) => {
        marks.put({ ...(mark && { id: mark.id }), ...markOf(found, chosen, owner, whole) });
        ask(null);
      });
    },
    state: fitting.state,
    result: kept ? { rms: kept.rms, pairs: kept.pairs } : null,
    hasDistances: byDistance !== null,
    look,
    setLook,
    own,
    meshes,
    remove: () => {
      fitting.stop();
      ask(null);
      setPairs([]);
      if (mark) marks.remove(mark.id);
    },
  };
}

type WholePair = ScanPair & { volume: Vector };

function markOf(
  { movement, rms, pairs }: ScanFit,
  chosen: NonNullable<ScanControls["chosen"]>,
  owner: string,
  whole: readonly WholePair[],
): Omit<Mark, "id"> {
  const rows = Object.fromEntries(movement.map((value, at) => [`m${at}`, value]));
  return {
    tool: "registration",
    instanceId: chosen.instance,
    plane: "volume",
    points: whole.flatMap(({ scan, volume }) => [[...scan], [...volume]]).slice(0, 60),
    text: null,
    settings: { onto: owner, study: chosen.study, rms, pairs, ...rows },
  };
}

const sidesOf = (pairs: readonly WholePair[]): [Vector[], Vector[]] => [
  pairs.map(({ scan }) => scan),
  pairs.map(({ volume }) => volume),
];

/** Adds the next missing point: each pair begins on the scan. A second point on the same side replaces the first. */
function withPoint(pairs: readonly ScanPair[], where: "scan" | "volume", point: Vector): readonly ScanPair[] {
  const last = pairs.at(-1);
  const isOpen = last !== undefined && last.volume === null;
  if (where === "volume") return isOpen ? [...pairs.slice(0, -1), { ...last, volume: point }] : pairs;
  return [...(isOpen ? pairs.slice(0, -1) : pairs), { scan: point, volume: null }];
}

const withoutLast = (pairs: readonly ScanPair[]): readonly ScanPair[] => pairs.slice(0, -1);

function keptIn({ instanceId, settings }: Mark) {
  return {
    instance: instanceId ?? "",
    study: String(settings?.["study"] ?? ""),
    rms: Number(settings?.["rms"] ?? 0),
    pairs: Number(settings?.["pairs"] ?? 0),
    rows: JSON.stringify(atRest.map((value, at) => Number(settings?.[`m${at}`] ?? value))),
  };
}

function useScanMesh(chosen: ScanControls["chosen"]) {
  const query = useCall(studyCalls.detail, { id: chosen?.study ?? "" }, { enabled: Boolean(chosen?.study) });
  const model = (chosen && modelIn(query.data, chosen.instance)) ?? null;
  const { loads } = useMeshes(model ? [model] : [], async (id) => modelIn((await query.refetch()).data, id));
  const load = model && loads.get(model.id);
  return {
    model,
    mesh: load?.state === "ready" ? load.mesh : null,
    hasFailed: query.isError || load?.state === "failed",
  };
}

const modelIn = (study: Study | undefined, instance: string): SceneModel | null =>
  study?.series
    .flatMap(({ instances }) => instances)
    .flatMap(({ id, name, model }) => (model && id === instance ? [{ ...model, id, name }] : []))[0] ?? null;

const sceneMeshOf = ({ positions, normals, indices }: ReadyMesh): SceneMesh =>
  new SceneMesh({
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
    colours: null,
  });

const placed = (mesh: SceneMesh, movement: Movement, { isShown, hasOutline }: ScanLook): RenderedMesh => ({
  mesh,
  movement,
  colour: [0.98, 0.62, 0.28],
  opacity: 1,
  isShown,
  cut: hasOutline ? "line" : "none",
});

/** Registers a scan with the surface of the volume around it, in workers; leaving cancels it. */
function useFitting({ store }: CtParts, matter: Matter | null) {
  const [state, setState] = useState<ScanControls["state"]>("open");
  const [last, setLast] = useState<ScanFit | null>(null);
  const going = useRef<AbortController | null>(null);
  const stop = () => {
    going.current?.abort();
    setState("open");
  };
  useEffect(() => () => going.current?.abort(), []);
  const begin = (mesh: ReadyMesh, start: Movement, onDone: (fit: ScanFit) => void) => {
    const { grid } = store;
    if (!grid || !matter) return;
    going.current?.abort();
    const leave = new AbortController();
    going.current = leave;
    setState("fitting");
    fitted(grid, crownsOf(matter), mesh, start, leave.signal).then(
      (fit) => {
        if (leave.signal.aborted) return;
        setState("fitted");
        setLast(fit);
        onDone(fit);
      },
      () => leave.signal.aborted || setState("failed"),
    );
  };
  return { state, last, begin, stop };
}

/** mm around the scan in which the volume's surface is considered. */
const around = 4;

async function fitted(
  grid: GridValues,
  threshold: number,
  mesh: ReadyMesh,
  start: Movement,
  signal: AbortSignal,
): Promise<ScanFit> {
  const { low, high } = boundsAfter(mesh, start);
  const box = boxOfCorners(grid.info, low, high);
  const plan = { threshold, isLargestOnly: false, smoothing: 1, mostTriangles: 600_000, as: "mesh" } as const;
  const made = await makeSurface(grid, box, plan, signal, () => {});
  if (!("mesh" in made)) throw new Error("there is no surface around the scan");
  const worker = new Worker(new URL("./scan-fit.worker.ts", import.meta.url), { type: "module" });
  const stop = () => worker.terminate();
  signal.addEventListener("abort", stop);
  const scan = { positions: mesh.positions, normals: mesh.normals };
  return new Promise<ScanFit>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<ScanFit>) => resolve(data));
    worker.addEventListener("error", () => reject(new Error("the fit failed")));
    worker.postMessage({ scan, volume: made.mesh, start } satisfies ScanFitJob);
  }).finally(() => {
    signal.removeEventListener("abort", stop);
    stop();
  });
}

/** The bounding box of a scan after its transform, in patient mm. */
function boundsAfter({ bounds: { min, max } }: ReadyMesh, movement: Movement): { low: Vector; high: Vector } {
  const ends = [min, max];
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((corner) =>
    moved(movement, [(ends[corner & 1] ?? min)[0], (ends[(corner >> 1) & 1] ?? min)[1], (ends[corner >> 2] ?? min)[2]]),
  );
  const side = (axis: 0 | 1 | 2) => corners.map((corner) => corner[axis]);
  const [x, y, z] = [side(0), side(1), side(2)];
  return {
    low: [Math.min(...x) - around, Math.min(...y) - around, Math.min(...z) - around],
    high: [Math.max(...x) + around, Math.max(...y) + around, Math.max(...z) + around],
  };
}
