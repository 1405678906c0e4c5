import type { PixelSpacing } from "@arcada/imaging/view/measure-lengths-angles";
import { fitMeanHead, type HeadFit } from "@arcada/analysis/head-fit/fit-mean-head";
import { findRuler } from "@arcada/analysis/measure/find-ruler";
import { possibleScales } from "@arcada/analysis/measure/ceph-scale";
import type { Grid } from "@arcada/analysis/measure/pixel-grid";

export type ReadingJob = { columns: number; rows: number; spacing: PixelSpacing | null } & (
  | { kind: "grey"; data: Int16Array | Uint16Array }
  | { kind: "image"; bitmap: ImageBitmap }
);

type RulerReadings = {
  /** The width of a pixel in mm, and the mm between the first mark and the last, for every way to read the marks. */
  scales: { width: number; mm: number }[];
  line: readonly [readonly [number, number], readonly [number, number]];
};

/** Coordinates are pixels of the image that was sent. */
export interface ReadingResult {
  head: HeadFit | null;
  /** Pending: it is still searched for. */
  ruler: RulerReadings | null | "pending";
}

self.addEventListener("message", ({ data: job }: MessageEvent<ReadingJob>) => {
  const grid = toGrid(job);
  // The head is there in a moment, the ruler takes longer.
  const head = fitMeanHead(grid);
  self.postMessage({ head, ruler: "pending" } satisfies ReadingResult);
  self.postMessage({ head, ruler: readRuler(grid, job.spacing) } satisfies ReadingResult);
});

function readRuler(grid: Grid, spacing: PixelSpacing | null): RulerReadings | null {
  const ruler = findRuler(grid);
  if (!ruler) return null;
  const { column, rows } = ruler.marks;
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const scales = possibleScales(ruler, { ...grid, spacing });
  if (scales.length === 0) return null;
  return {
    scales: scales.map(({ scale }) => ({ width: scale, mm: scale * Math.abs(last - first) })),
    line: ruler.isVertical
      ? [
          [column, first],
          [column, last],
        ]
      : [
          [first, column],
          [last, column],
        ],
  };
}

function toGrid(job: ReadingJob): Grid {
  const { columns, rows } = job;
  if (job.kind === "grey") return { columns, rows, data: Float32Array.from(job.data) };
  const context = new OffscreenCanvas(columns, rows).getContext("2d");
  if (!context) throw new Error("no canvas");
  context.drawImage(job.bitmap, 0, 0);
  job.bitmap.close();
  const { data } = context.getImageData(0, 0, columns, rows);
  const grey = new Float32Array(columns * rows);
  for (let index = 0; index < grey.length; index++) grey[index] = data[4 * index + 1]!;
  return { columns, rows, data: grey };
}
