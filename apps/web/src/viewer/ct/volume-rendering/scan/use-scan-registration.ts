import { useEffect, useMemo, useRef, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { type Study } from "@arcada/contract/study/study.schema";
import { SceneMesh } from "@arcada/imaging/gl/scene-mesh";
import { createBoxFromCorners } from "@arcada/imaging/surface/voxel-box";
import type { VoxelGrid } from "@arcada/imaging/surface/voxel-grid";
import { computeCrownThreshold, type TissueThresholds } from "@arcada/imaging/surface/tissue-thresholds";
import { identityTransform, transformPoint, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import { registerPointPairs } from "@arcada/imaging/surface/registration";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { useCall } from "../../../../data/use-call.ts";
import type { ReadyMesh } from "../../../model/mesh/load-mesh.worker.ts";
import type { SceneModel } from "../../../model/scene-model.ts";
import { useMeshes } from "../../../model/mesh/use-meshes.ts";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import { extractSurface } from "../surface/extract-surface.ts";
import type { ScanRegistrationResult, ScanRegistrationJob } from "./scan-registration.worker.ts";
import type { RenderedMesh } from "../rendering-scene.ts";

/** The same point on the scan (mm of its file) and in the patient. */
export interface ScanPair {
  scan: Vector;
  volume: Vector | null;
}

export interface ScanDisplaySettings {
  isShown: boolean;
  hasOutline: boolean;
  isByDistance: boolean;
}

export interface ScanRegistration {
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
  /** From the scan's own file into the patient (LPS, mm); null before it is registered. */
  registered: RigidTransform | null;
  /** True if the scan can be coloured by its distance: the distances are known for a while after a fit. */
  hasDistances: boolean;
  displaySettings: ScanDisplaySettings;
  setDisplaySettings: (displaySettings: ScanDisplaySettings) => void;
  /** The scan in the coordinates of its own file, for picking. */
  sceneMesh: SceneMesh | null;
  meshes: readonly RenderedMesh[];
  remove: () => void;
}

export function useScanRegistration(parts: CtViewerState, matter: TissueThresholds | null): ScanRegistration {
  const { series, annotations } = parts;
  const owner = series.instances[0]?.id ?? "";
  const annotation = annotations.list.find(
    ({ tool, settings }) => tool === "registration" && settings?.["onto"] === owner,
  );
  const [requested, setRequested] = useState<ScanRegistration["chosen"]>(null);
  const [pairs, setPairs] = useState<readonly ScanPair[]>([]);
  const [displaySettings, setDisplaySettings] = useState<ScanDisplaySettings>({
    isShown: true,
    hasOutline: true,
    isByDistance: false,
  });
  const stored = annotation && readRegistration(annotation);
  const chosen = requested ?? (stored ? { study: stored.study, instance: stored.instance } : null);
  // A user who sees only a single study may not fetch another.
  const { model, mesh, hasFailed } = useScanMesh(parts.patientId === null ? null : chosen);
  const sceneMesh = useMemo(() => mesh && toSceneMesh(mesh), [mesh]);
  const whole = pairs.flatMap(({ scan, volume }) => (volume ? [{ scan, volume }] : []));
  const first = whole.length >= 3 ? registerPointPairs(...splitPairs(whole)) : null;
  const fitting = useFitting(parts, matter);
  const rows = requested ? null : stored?.rows;
  const rigidTransform = useMemo(() => (rows ? (JSON.parse(rows) as RigidTransform) : null), [rows]);
  const colours = fitting.last?.colours;
  const byDistance = useMemo(
    () =>
      sceneMesh && colours?.length === sceneMesh.positions.length ? new SceneMesh({ ...sceneMesh, colours }) : null,
    [sceneMesh, colours],
  );
  const shown = displaySettings.isByDistance && byDistance ? byDistance : sceneMesh;
  const meshes = useMemo(
    () => (shown && rigidTransform ? [placeMesh(shown, rigidTransform, displaySettings)] : []),
    [shown, rigidTransform, displaySettings],
  );
  return {
    chosen,
    choose: (study, instance) => {
      setPairs([]);
      setRequested({ study, instance });
    },
    mesh,
    model,
    hasFailed,
    isPicking: requested !== null,
    pairs,
    pick: (where, point) => setPairs((now) => addPoint(now, where, point)),
    undo: () => setPairs((now) => removeLast(now)),
    pairsRms: first?.rms ?? null,
    fit: () => {
      if (!chosen || !mesh || !first) return;
      fitting.begin(mesh, first.rigidTransform, (found) => {
        annotations.put({ ...(annotation && { id: annotation.id }), ...buildAnnotation(found, chosen, owner, whole) });
        setRequested(null);
      });
    },
    state: fitting.state,
    result: stored ? { rms: stored.rms, pairs: stored.pairs } : null,
    registered: rigidTransform,
    hasDistances: byDistance !== null,
    displaySettings,
    setDisplaySettings,
    sceneMesh,
    meshes,
    remove: () => {
      fitting.stop();
      setRequested(null);
      setPairs([]);
      if (annotation) annotations.remove(annotation.id);
    },
  };
}

type WholePair = ScanPair & { volume: Vector };

function buildAnnotation(
  { rigidTransform, rms, pairs }: ScanRegistrationResult,
  chosen: NonNullable<ScanRegistration["chosen"]>,
  owner: string,
  whole: readonly WholePair[],
): Omit<Annotation, "id"> {
  const rows = Object.fromEntries(rigidTransform.map((value, at) => [`m${at}`, value]));
  return {
    tool: "registration",
    instanceId: chosen.instance,
    plane: "volume",
    points: whole.flatMap(({ scan, volume }) => [[...scan], [...volume]]).slice(0, 60),
    text: null,
    settings: { onto: owner, study: chosen.study, rms, pairs, ...rows },
  };
}

const splitPairs = (pairs: readonly WholePair[]): [Vector[], Vector[]] => [
  pairs.map(({ scan }) => scan),
  pairs.map(({ volume }) => volume),
];

/** Adds the next missing point: each pair begins on the scan. A second point on the same side replaces the first. */
function addPoint(pairs: readonly ScanPair[], where: "scan" | "volume", point: Vector): readonly ScanPair[] {
  const last = pairs.at(-1);
  const isOpen = last !== undefined && last.volume === null;
  if (where === "volume") return isOpen ? [...pairs.slice(0, -1), { ...last, volume: point }] : pairs;
  return [...(isOpen ? pairs.slice(0, -1) : pairs), { scan: point, volume: null }];
}

const removeLast = (pairs: readonly ScanPair[]): readonly ScanPair[] => pairs.slice(0, -1);

function readRegistration({ instanceId, settings }: Annotation) {
  return {
    instance: instanceId ?? "",
    study: String(settings?.["study"] ?? ""),
    rms: Number(settings?.["rms"] ?? 0),
    pairs: Number(settings?.["pairs"] ?? 0),
    rows: JSON.stringify(identityTransform.map((value, at) => Number(settings?.[`m${at}`] ?? value))),
  };
}

function useScanMesh(chosen: ScanRegistration["chosen"]) {
  const query = useCall(studyCalls.detail, { id: chosen?.study ?? "" }, { enabled: Boolean(chosen?.study) });
  const model = (chosen && findModel(query.data, chosen.instance)) ?? null;
  const { loads } = useMeshes(model ? [model] : [], async (id) => findModel((await query.refetch()).data, id));
  const load = model && loads.get(model.id);
  return {
    model,
    mesh: load?.state === "ready" ? load.mesh : null,
    hasFailed: query.isError || load?.state === "failed",
  };
}

const findModel = (study: Study | undefined, instance: string): SceneModel | null =>
  study?.series
    .flatMap(({ instances }) => instances)
    .flatMap(({ id, name, model }) =>
      // Only the full surface is registered: its coarse copy is not even fetched.
      model && id === instance ? [{ ...model, glb: model.glb && { ...model.glb, coarse: null }, id, name }] : [],
    )[0] ?? null;

const toSceneMesh = ({ positions, normals, indices }: ReadyMesh): SceneMesh =>
  new SceneMesh({
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
    colours: null,
  });

const placeMesh = (
  mesh: SceneMesh,
  rigidTransform: RigidTransform,
  { isShown, hasOutline }: ScanDisplaySettings,
): RenderedMesh => ({
  mesh,
  rigidTransform,
  colour: [0.98, 0.62, 0.28],
  opacity: 1,
  isShown,
  cut: hasOutline ? "line" : "none",
});

/** Registers a scan with the surface of the volume around it, in workers; leaving cancels it. */
function useFitting({ store }: CtViewerState, matter: TissueThresholds | null) {
  const [state, setState] = useState<ScanRegistration["state"]>("open");
  const [last, setLast] = useState<ScanRegistrationResult | null>(null);
  const running = useRef<AbortController | null>(null);
  const stop = () => {
    running.current?.abort();
    setState("open");
  };
  useEffect(() => () => running.current?.abort(), []);
  const begin = (mesh: ReadyMesh, start: RigidTransform, onDone: (fit: ScanRegistrationResult) => void) => {
    const { grid } = store;
    if (!grid || !matter) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState("fitting");
    fitScan(grid, computeCrownThreshold(matter), mesh, start, controller.signal).then(
      (fit) => {
        if (controller.signal.aborted) return;
        setState("fitted");
        setLast(fit);
        onDone(fit);
      },
      () => controller.signal.aborted || setState("failed"),
    );
  };
  return { state, last, begin, stop };
}

/** mm around the scan in which the volume's surface is considered. */
const marginMm = 4;

async function fitScan(
  grid: VoxelGrid,
  threshold: number,
  mesh: ReadyMesh,
  start: RigidTransform,
  signal: AbortSignal,
): Promise<ScanRegistrationResult> {
  const { low, high } = transformBounds(mesh, start);
  const box = createBoxFromCorners(grid.info, low, high);
  const plan = { threshold, isLargestOnly: false, smoothing: 1, maxTriangles: 600_000, as: "mesh" } as const;
  const made = await extractSurface(grid, box, plan, signal, () => {});
  if (!("mesh" in made)) throw new Error("there is no surface around the scan");
  const worker = new Worker(new URL("./scan-registration.worker.ts", import.meta.url), { type: "module" });
  const stop = () => worker.terminate();
  signal.addEventListener("abort", stop);
  const scan = { positions: mesh.positions, normals: mesh.normals };
  return new Promise<ScanRegistrationResult>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<ScanRegistrationResult>) => resolve(data));
    worker.addEventListener("error", () => reject(new Error("the fit failed")));
    worker.postMessage({ scan, volume: made.mesh, start } satisfies ScanRegistrationJob);
  }).finally(() => {
    signal.removeEventListener("abort", stop);
    stop();
  });
}

/** The bounding box of a scan after its transform, in patient mm. */
function transformBounds(
  { bounds: { min, max } }: ReadyMesh,
  rigidTransform: RigidTransform,
): { low: Vector; high: Vector } {
  const ends = [min, max];
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((corner) =>
    transformPoint(rigidTransform, [
      (ends[corner & 1] ?? min)[0],
      (ends[(corner >> 1) & 1] ?? min)[1],
      (ends[corner >> 2] ?? min)[2],
    ]),
  );
  const side = (axis: 0 | 1 | 2) => corners.map((corner) => corner[axis]);
  const [x, y, z] = [side(0), side(1), side(2)];
  return {
    low: [Math.min(...x) - marginMm, Math.min(...y) - marginMm, Math.min(...z) - marginMm],
    high: [Math.max(...x) + marginMm, Math.max(...y) + marginMm, Math.max(...z) + marginMm],
  };
}
