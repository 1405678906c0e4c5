import sharp from "sharp";
import { cephSize, createCephPixels } from "@arcada/phantom/radiograph/cephalogram";
import { makeHead } from "@arcada/phantom/anatomy/head";
import type { CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import { landmarkEntries } from "@arcada/analysis/ceph/normalised-tracing";
import { findRealFile } from "../support/test-files.ts";
import { loadTracedRadiograph, tracedHead, type TracedRadiograph } from "./traced-radiograph.ts";

/**
 * Loads the real radiograph, which lies on its side, if it is available, otherwise the generated one as a scanner stores
 * it: lying, without patient and scale.
 */
export async function loadLyingRadiograph(): Promise<TracedRadiograph> {
  const traced = loadTracedRadiograph();
  if (findRealFile("ceph")) return traced;
  const { columns: width, rows: height } = cephSize;
  const grey = Uint8Array.from(createCephPixels(makeHead(tracedHead)), (value) => value >> 4);
  const bytes = await sharp(grey, { raw: { width, height, channels: 1 } })
    .rotate(-90)
    .png()
    .toBuffer();
  const stored = ([column, row]: readonly [number, number]): CephImagePoint => [row, width - column];
  const { from, to, mm } = traced.knownDistance;
  return {
    ...traced,
    name: "lateral.png",
    bytes,
    columns: height,
    rows: width,
    quarterTurns: 1,
    landmarks: Object.fromEntries(landmarkEntries(traced.landmarks).map(([id, spot]) => [id, stored(spot)])),
    knownDistance: { from: stored(from), to: stored(to), mm },
  };
}
