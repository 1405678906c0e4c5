import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { EngineImage, NewObservation } from "../engine.ts";
import { confidenceOf } from "./detection-postprocessing.ts";
import { frameToImage } from "./input-frame.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";

/**
 * `mask@1`: `mask` `[class][row][column]`, the likelihood that each cell is of a class. Connected cells over the
 * threshold are one observation, with its outline.
 */
export function decodeMasks(outputs: Outputs, manifest: PackManifest, image: EngineImage): NewObservation[] {
  const { threshold, classes, leastArea } = manifest.post;
  const mask = readOutput(outputs, manifest.outputs.mask, [classes.length, null, null], "unit");
  const [, rows, columns] = mask.dims;
  const minCells = Math.max(1, leastArea * rows * columns);
  const { w, h } = manifest.input;
  const toImage = frameToImage(image, manifest.input);
  const toImagePoint = ([column, row]: readonly [number, number]): [number, number] => {
    const [x, y] = toImage((column * w) / columns, (row * h) / rows);
    // A part that reaches into a margin ends at the image's edge.
    return [Math.min(image.columns, Math.max(0, x)), Math.min(image.rows, Math.max(0, y))];
  };
  return classes.flatMap((packClass, classIndex) => {
    const layer = mask.data.subarray(classIndex * rows * columns, (classIndex + 1) * rows * columns);
    return findComponents(layer, columns, threshold)
      .filter((component) => component.length >= minCells)
      .map((component): NewObservation => ({
        code: packClass.code,
        target: packClass.fdi === null ? { kind: "image" } : { kind: "tooth", fdi: packClass.fdi },
        value: true,
        unit: null,
        geometry: { kind: "polygon", points: traceOutline(component, columns).map(toImagePoint) },
        confidence: confidenceOf(component.reduce((sum, index) => sum + layer[index], 0) / component.length, manifest),
        method: manifest.task,
      }));
  });
}

/** Returns connected groups of cells over the threshold (sharing a side). */
function findComponents(layer: Float32Array, columns: number, threshold: number): number[][] {
  const unvisited = Uint8Array.from(layer, (value) => (value >= threshold ? 1 : 0));
  const components: number[][] = [];
  for (let start = 0; start < unvisited.length; start++) {
    if (unvisited[start] === 0) continue;
    const component = [start];
    unvisited[start] = 0;
    for (let next = 0; next < component.length; next++) {
      const index = component[next];
      const neighbours = [
        index - columns,
        index + columns,
        index % columns > 0 ? index - 1 : -1,
        index % columns < columns - 1 ? index + 1 : -1,
      ];
      for (const neighbour of neighbours) {
        if (neighbour < 0 || neighbour >= unvisited.length || unvisited[neighbour] === 0) continue;
        unvisited[neighbour] = 0;
        component.push(neighbour);
      }
    }
    components.push(component);
  }
  return components;
}

/** Returns the outer border of a component along the edges of its cells, clockwise, corners only. */
function traceOutline(component: readonly number[], columns: number): [number, number][] {
  const inside = new Set(component);
  const isInside = (x: number, y: number): boolean => x >= 0 && x < columns && inside.has(y * columns + x);
  const start = component.reduce((least, index) => Math.min(least, index), Infinity);
  const [firstX, firstY] = [start % columns, Math.floor(start / columns)];
  const points: [number, number][] = [[firstX, firstY]];
  let [x, y, direction] = [firstX, firstY, 0];
  // The cells ahead to the left and ahead to the right of a corner, for each direction: right, down, left, up.
  do {
    const left = isInside(x + aheadLeft[direction][0], y + aheadLeft[direction][1]);
    const right = isInside(x + aheadRight[direction][0], y + aheadRight[direction][1]);
    const turn = left ? 3 : right ? 0 : 1;
    if (turn !== 0) points.push([x, y]);
    direction = (direction + turn) % 4;
    [x, y] = [x + steps[direction][0], y + steps[direction][1]];
  } while (x !== firstX || y !== firstY);
  return thinPoints(points);
}

const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const aheadLeft = [
  [0, -1],
  [0, 0],
  [-1, 0],
  [-1, -1],
] as const;
const aheadRight = [
  [0, 0],
  [-1, 0],
  [-1, -1],
  [0, -1],
] as const;

const maxPoints = 400;
const thinPoints = (points: [number, number][]): [number, number][] => {
  const stride = Math.ceil(points.length / maxPoints);
  return points.filter((_, index) => index % stride === 0);
};
