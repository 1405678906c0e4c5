import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import { EngineFault, type EngineImage } from "../engine.ts";
import { percentiles, resampleByMean, type Grid } from "../measure/pixel-grid.ts";

/** Values of a model's input or output; `dims` from the slowest to the fastest. */
export interface Tensor {
  dims: readonly number[];
  data: Float32Array;
}

/** A model's outputs by their names. */
export type Outputs = Readonly<Record<string, Tensor>>;

/** An image as a model's input, `[1][channel][row][column]`; it is stretched to the model's size. */
export function createInputTensor(image: EngineImage, { w, h, channels, equalise }: PackManifest["input"]): Tensor {
  const fullImage = { left: 0, top: 0, right: image.columns, bottom: image.rows };
  const resampled = resampleByMean({ columns: image.columns, rows: image.rows, data: image.samples }, fullImage, w, h);
  const unitGrid = equalise ? equaliseHistogram(scaleToUnitRange(resampled)) : scaleToUnitRange(resampled);
  const data = new Float32Array(channels.length * w * h);
  channels.forEach((channel, index) => data.set(channelFillers[channel](unitGrid), index * w * h));
  return { dims: [1, channels.length, h, w], data };
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
