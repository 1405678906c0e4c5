import { writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { rasteriseTube, type SliceGrid } from "@arcada/imaging/dicom/segmentation/rasterise-tube";
import {
  SegmentationTooLargeError,
  writeSegmentation,
  type SegmentedSeries,
} from "@arcada/imaging/dicom/segmentation/write-segmentation";
import type { TaskResult, WorkerLoaded } from "../../platform/runtime/worker-pool.ts";
import type { MarkedStructure } from "./marked-structures.ts";
import { readSegmentedSeries } from "./segmented-series.ts";

export interface SegmentationTask {
  /** DICOM JSON of the series. */
  metadata: string[];
  structures: MarkedStructure[];
  created: { date: string; time: string; seriesNumber: number; version: string };
  out: string;
}

/** The thread that turns lines into masks. */
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", (task: SegmentationTask) => parentPort?.postMessage(runTask(task)));

function runTask({ metadata, structures, created, out }: SegmentationTask): TaskResult<null> {
  const series = readSegmentedSeries(metadata);
  if (!series) return { refusal: "fileUnsupported" };
  const segments = structures.map(({ line, radius, ...segment }) => ({
    ...segment,
    maskOf: (slice: number) => rasteriseTube(toGrid(series, slice), line, radius),
  }));
  try {
    writeFileSync(out, writeSegmentation(series, segments, created));
  } catch (error) {
    if (error instanceof SegmentationTooLargeError) return { refusal: "tooLarge" };
    if (error instanceof RangeError) return { refusal: "segmentationEmpty" };
    throw error;
  }
  return { value: null };
}

const toGrid = (series: SegmentedSeries, slice: number): SliceGrid => {
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0] = series.orientation;
  const [x, y, z] = series.slices[slice]!.position;
  const position: Vector = [x, y, z];
  return {
    rows: series.rows,
    columns: series.columns,
    position,
    columnDirection: [a, b, c],
    rowDirection: [d, e, f],
    columnSpacing: series.pixelSpacing[1],
    rowSpacing: series.pixelSpacing[0],
  };
};
