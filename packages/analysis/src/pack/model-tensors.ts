import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import { EngineFault, type EngineImage } from "../engine.ts";
import { percentiles, resampleByMean, type Grid } from "../measure/pixel-grid.ts";
import { placeInFrame } from "./input-frame.ts";

/** Values of a model's input or output; `dims` from the slowest to the fastest. */
export interface Tensor {
  dims: readonly number[];
  data: Float32Array;
}

/** A model's outputs by their names. */
export type Outputs = Readonly<Record<string, Tensor>>;

/** An image as a model's input, `[1][channel][row][column]`, at the place of the frame that its manifest demands. */
export function createInputTensor(image: EngineImage, input: PackManifest["input"]): Tensor {
  const { w, h, channels, equalise } = input;
  const fullImage = { left: 0, top: 0, right: image.columns, bottom: image.rows };
  const { left, top, columns, rows } = placeInFrame(image, input);
  const whole = { columns: image.columns, rows: image.rows, data: image.samples };
  const resampled = scaleToUnitRange(resampleByMean(whole, fullImage, columns, rows));
  const unitGrid = addMargins(equalise ? equaliseHistogram(resampled) : resampled, { left, top }, { w, h });
  const data = new Float32Array(channels.length * w * h);
  channels.forEach((channel, index) => data.set(channelFillers[channel](unitGrid), index * w * h));
  return { dims: [1, channels.length, h, w], data };
}

/** Margins hold zeros: what lies outside a film is dark. */
function addMargins(
  grid: Grid,
  { left, top }: { left: number; top: number },
  { w, h }: { w: number; h: number },
): Grid {
  if (grid.columns === w && grid.rows === h) return grid;
  const data = new Float32Array(w * h);
  for (let row = 0; row < grid.rows; row++)
    data.set(grid.data.subarray(row * grid.columns, (row + 1) * grid.columns), (top + row) * w + left);
  return { columns: w, rows: h, data };
}

const channelFillers: Record<PackManifest["input"]["channels"][number], (unitGrid: Grid) => Float32Array> = {
  "gray-unit": ({ data }) => data,
  "gray-zscore": ({ data }) => {
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
    const deviation = Math.sqrt(data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length);
    return data.map((value) => (value - mean) / (deviation || 1));
  },
  x: ({ columns, data }) => data.map((_, index) => ((index % columns) + 0.5) / columns),
  y: ({ columns, rows, data }) => data.map((_, index) => (Math.floor(index / columns) + 0.5) / rows),
};

/** From 0 to 1 between the darkest and the brightest hundredth. */
function scaleToUnitRange(grid: Grid): Grid {
  const [low, high] = percentiles(grid.data, [0.01, 0.99]);
  const span = high - low || 1;
  return { ...grid, data: grid.data.map((value) => Math.min(1, Math.max(0, (value - low) / span))) };
}

/** Every shade as often as the others. */
function equaliseHistogram(unitGrid: Grid): Grid {
  const bins = 256;
  const counts = new Float64Array(bins);
  const binOf = (value: number): number => Math.min(bins - 1, Math.floor(value * bins));
  for (const value of unitGrid.data) counts[binOf(value)]++;
  let sum = 0;
  const cumulativeShares = counts.map((count) => (sum += count) / unitGrid.data.length);
  return { ...unitGrid, data: unitGrid.data.map((value) => cumulativeShares[binOf(value)]) };
}

/**
 * The output that plays a part in a task, proved to be of the right shape and to hold numbers.
 * @param dims as they must be; null where any length will do; a leading 1 may be missing
 */
export function readOutput(
  outputs: Outputs,
  name: string | undefined,
  dims: readonly (number | null)[],
  range: "any" | "unit",
): Tensor {
  const output = name === undefined ? undefined : outputs[name];
  if (!output) throw new EngineFault("wrongShape", `no output ${name ?? "of this part"}`);
  const actual = output.dims.length === dims.length + 1 && output.dims[0] === 1 ? output.dims.slice(1) : output.dims;
  const fits =
    actual.length === dims.length && actual.every((length, index) => length > 0 && (dims[index] ?? length) === length);
  const count = actual.reduce((product, length) => product * length, 1);
  if (!fits || count !== output.data.length)
    throw new EngineFault("wrongShape", `output ${name}: ${output.dims.join(" × ")}`);
  for (const value of output.data) {
    if (!Number.isFinite(value)) throw new EngineFault("notANumber", `output ${name}`);
    if (range === "unit" && (value < -1e-4 || value > 1 + 1e-4))
      throw new EngineFault("wrongShape", `output ${name}: ${value} is not between 0 and 1`);
  }
  return { dims: actual, data: output.data };
}
