import {
  abstention,
  observation,
  type Abstention,
  type EngineInfo,
  type Geometry,
  type ImageGeometry,
  type SolidGeometry,
  type TubeGeometry,
} from "@arcada/contract/analysis/observation";
import { decodeRuns } from "@arcada/imaging/jaws/jaw-body";
import { voxelToPatient } from "@arcada/imaging/volume/voxel-to-patient";
import { findVoxel, type VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { EngineFault, type EngineResult, type EngineInput, type NewObservation } from "./engine.ts";

/**
 * Returns an engine's answer if all of it is plausible: declared codes, finite numbers, positions within the image, no
 * more observations than an image can contain. One fault rejects the whole answer.
 * @throws EngineFault
 */
export function validateResult(result: EngineResult, info: EngineInfo, input: EngineInput): EngineResult {
  const { artefacts } = result;
  if (!Array.isArray(result.observations) || !Array.isArray(result.abstentions) || !Array.isArray(artefacts))
    throw new EngineFault("wrongShape", "lists are missing");
  if (result.observations.length > maxItems || result.abstentions.length > maxItems || artefacts.length > maxArtefacts)
    throw new EngineFault("tooMany", `${result.observations.length} observations`);
  for (const { code } of [...result.observations, ...result.abstentions, ...artefacts])
    if (!info.produces.includes(code)) throw new EngineFault("codeUndeclared", String(code).slice(0, 60));
  if (!hasOnlyFiniteNumbers([result.observations, result.abstentions]))
    throw new EngineFault("notANumber", "a value that is no finite number");
  const observations = parseWith<NewObservation[]>(newObservation.array(), result.observations);
  const abstentions = parseWith<Abstention[]>(abstention.array(), result.abstentions);
  for (const { code, geometry } of observations)
    if (geometry && !isInsideInput(geometry, input)) throw new EngineFault("outsidePicture", code);
  for (const { code, columns, rows, samples } of artefacts)
    if (samples.length !== columns * rows) throw new EngineFault("wrongShape", code);
  return { observations, abstentions, artefacts };
}

const maxItems = 2000;
const maxArtefacts = 4;
const newObservation = observation.omit({ id: true });

interface Schema<T> {
  safeParse: (
    value: unknown,
  ) => { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

function parseWith<T>(schema: Schema<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new EngineFault("wrongShape", `${issue?.path.join(".")}: ${issue?.message}`.slice(0, 200));
}

function hasOnlyFiniteNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasOnlyFiniteNumbers);
}

interface Size {
  columns: number;
  rows: number;
}
const imageSize = (input: EngineInput): Size => (input.kind === "picture" ? input : input.geometry);

/** Half a pixel of rounding is no fault. */
const toleranceInPixels = 0.5;

function isInsideInput(geometry: Geometry, input: EngineInput): boolean {
  if (geometry.kind === "tube") return input.kind === "volume" && isTubeInside(geometry, input.geometry);
  if (geometry.kind === "solid") return input.kind === "volume" && isSolidInside(geometry, input.geometry);
  return isInsideImage(geometry, imageSize(input));
}

/** Both ends of the grid lie in the volume, and the runs fill it exactly. */
function isSolidInside(
  { size: [columns, rows, slices], runs, ...grid }: SolidGeometry,
  volume: VolumeGeometry,
): boolean {
  const info: VolumeGeometry = { ...grid, columns, rows, slices };
  const ends = [voxelToPatient(info, [0, 0, 0]), voxelToPatient(info, [columns - 1, rows - 1, slices - 1])];
  return ends.every((end) => findVoxel(volume, end) !== null) && decodeRuns(runs, columns * rows * slices) !== null;
}

/** Stretches are numbers of points: the last point begins none. */
function isTubeInside({ points, radii, hidden, doubtful }: TubeGeometry, volume: VolumeGeometry): boolean {
  const last = points.length - 2;
  return (
    radii.length === points.length &&
    [...hidden, ...doubtful].every((stretch) => stretch <= last) &&
    points.every((point) => findVoxel(volume, point) !== null)
  );
}

function isInsideImage(geometry: ImageGeometry, { columns, rows }: Size): boolean {
  const isInside = ([x, y]: readonly [number, number]): boolean =>
    x >= -toleranceInPixels &&
    y >= -toleranceInPixels &&
    x <= columns + toleranceInPixels &&
    y <= rows + toleranceInPixels;
  if (geometry.kind === "point") return isInside(geometry.at);
  if (geometry.kind !== "box") return geometry.points.every(isInside);
  const { left, top, right, bottom } = geometry;
  return left <= right && top <= bottom && isInside([left, top]) && isInside([right, bottom]);
}
