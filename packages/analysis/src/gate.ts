import {
  abstention,
  observation,
  type Abstention,
  type EngineInfo,
  type Geometry,
} from "@arcada/contract/analysis/observation";
import { EngineFault, type Analysed, type EngineInput, type Seen } from "./engine.ts";

/**
 * Returns an engine's answer if all of it is plausible: declared codes, finite numbers, positions within the image, no
 * more observations than an image can contain. One fault rejects the whole answer.
 * @throws EngineFault
 */
export function passed(answer: Analysed, info: EngineInfo, input: EngineInput): Analysed {
  const { artefacts } = answer;
  if (!Array.isArray(answer.observations) || !Array.isArray(answer.abstentions) || !Array.isArray(artefacts))
    throw new EngineFault("wrongShape", "lists are missing");
  if (answer.observations.length > most || answer.abstentions.length > most || artefacts.length > mostArtefacts)
    throw new EngineFault("tooMany", `${answer.observations.length} observations`);
  for (const { code } of [...answer.observations, ...answer.abstentions, ...artefacts])
    if (!info.produces.includes(code)) throw new EngineFault("codeUndeclared", String(code).slice(0, 60));
  if (!areNumbers([answer.observations, answer.abstentions]))
    throw new EngineFault("notANumber", "a value that is no finite number");
  const observations = shaped<Seen[]>(seen.array(), answer.observations);
  const abstentions = shaped<Abstention[]>(abstention.array(), answer.abstentions);
  for (const { code, geometry } of observations)
    if (geometry && !isWithin(geometry, sizeOf(input))) throw new EngineFault("outsidePicture", code);
  for (const { code, columns, rows, samples } of artefacts)
    if (samples.length !== columns * rows) throw new EngineFault("wrongShape", code);
  return { observations, abstentions, artefacts };
}

const most = 2000;
const mostArtefacts = 4;
const seen = observation.omit({ id: true });

interface Schema<T> {
  safeParse: (
    value: unknown,
  ) => { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

function shaped<T>(schema: Schema<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new EngineFault("wrongShape", `${issue?.path.join(".")}: ${issue?.message}`.slice(0, 200));
}

function areNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(areNumbers);
}

interface Size {
  columns: number;
  rows: number;
}
const sizeOf = (input: EngineInput): Size => (input.kind === "picture" ? input : input.geometry);

/** Half a pixel of rounding is no fault. */
const slack = 0.5;

function isWithin(geometry: Geometry, { columns, rows }: Size): boolean {
  const isInside = ([x, y]: readonly [number, number]): boolean =>
    x >= -slack && y >= -slack && x <= columns + slack && y <= rows + slack;
  if (geometry.kind === "point") return isInside(geometry.at);
  if (geometry.kind !== "box") return geometry.points.every(isInside);
  const { left, top, right, bottom } = geometry;
  return left <= right && top <= bottom && isInside([left, top]) && isInside([right, bottom]);
}
