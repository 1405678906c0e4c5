import { expect, it } from "vitest";
import { cephLandmarks, type CephContent, type CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { getCephLandmarks } from "@arcada/phantom/radiograph/cephalogram";
import { normaliseTracing } from "./normalised-tracing.ts";
import type { Point } from "./plane-geometry.ts";
import { findImplausibleLandmarks } from "./implausible-landmarks.ts";
import { createCephReport } from "./ceph-report.ts";
import { present } from "@arcada/testing/require-present";

const heads = process.env.ARCADA_PROOF === "full" ? 300 : 40;
const named: Partial<Record<CephLandmark, string>> = { U1: "U1 tip", U1a: "U1 apex", L1: "L1 tip", L1a: "L1 apex" };
const jaw = new Set<CephLandmark>([
  "B",
  "Pog",
  "Gn",
  "Me",
  "Go",
  "L1",
  "L1a",
  "L6",
  "D",
  "PM",
  "Xi",
  "PogS",
  "GnS",
  "MeS",
  "Li",
]);

/** A drawn head of a class (jaw forward or back, mm), an opened jaw (degrees), turned, and seen from either side. */
function drawn(at: number): CephContent {
  const truth = getCephLandmarks(makeHead(`plausible ${at}`));
  const scale = Math.hypot(truth.S.column - truth.N.column, truth.S.row - truth.N.row) / 72;
  const [shift, open, turned] = [((at % 7) - 3) * 4 * scale, (((at % 5) - 1) * 4 * Math.PI) / 180, at * 2.4];
  const hinge: Point = truth.Co ? [truth.Co.column, truth.Co.row] : [truth.Po.column, truth.Po.row];
  const spin = ([x, y]: Point, angle: number): Point => [
    x * Math.cos(angle) - y * Math.sin(angle),
    x * Math.sin(angle) + y * Math.cos(angle),
  ];
  const landmarks: CephContent["landmarks"] = {};
  for (const id of cephLandmarks) {
    const place = truth[named[id] ?? id];
    if (!place) continue;
    let [x, y]: Point = [place.column, place.row];
    if (jaw.has(id)) {
      const [u, v] = spin([x - hinge[0], y - hinge[1]], open);
      [x, y] = [hinge[0] + u + shift, hinge[1] + v];
    }
    landmarks[id] = [...spin([at % 2 ? -x : x, y], turned)];
  }
  return { landmarks, aspect: 1, calibration: null, population: "white", remark: null };
}
const suspects = (content: CephContent) => findImplausibleLandmarks(normaliseTracing(content).points);
const all = Array.from({ length: heads }, (_, at) => drawn(at));

it("no drawn head of any class, bite, turn or side has an implausible landmark", () => {
  const alarms = all.map(suspects).filter((one) => one.length > 0);
  expect(alarms).toEqual([]);
});

/** The first so many landmarks after a shuffle that is the same for the same head. */
function some(content: CephContent, count: number, at: number): CephContent {
  const order = (id: string) => [...id].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0) + at) % 9973, at);
  const chosen = Object.entries(content.landmarks).toSorted(([a], [b]) => order(a) - order(b));
  return { ...content, landmarks: Object.fromEntries(chosen.slice(0, count)) };
}

it.each([6, 8, 10, 13, 17])("no %i landmarks of a drawn head of any class hold an implausible one", (count) => {
  expect(all.map((content, at) => suspects(some(content, count, at))).filter((one) => one.length > 0)).toEqual([]);
});

it("a landmark that was exchanged or put elsewhere is named", () => {
  const missed: string[] = [];
  for (const [at, content] of all.entries()) {
    const { landmarks } = content;
    for (const [a, b] of [
      ["A", "B"],
      ["S", "N"],
      ["N", "A"],
      ["Or", "Po"],
      ["Go", "Me"],
    ] as const) {
      const found = suspects({ ...content, landmarks: { ...landmarks, [a]: landmarks[b], [b]: landmarks[a] } });
      if (!found.includes(a) && !found.includes(b)) missed.push(`${at} ${a}-${b}`);
    }
    const { S, N } = landmarks;
    const near = {
      ...landmarks,
      A: [S![0] + 0.6 * (present(N)[0] - S![0]), S![1] + 0.6 * (present(N)[1] - S![1])] as [number, number],
    };
    if (!suspects({ ...content, landmarks: near }).includes("A")) missed.push(`${at} A on S-N`);
  }
  expect(missed).toEqual([]);
});

it("a measure of an implausible landmark is not held against norms, and the others are", () => {
  const { landmarks } = all[0];
  const content = { ...all[0], landmarks: { ...landmarks, A: landmarks.S } };
  const { rows } = createCephReport(content, { sex: "female", age: 24 }, "steiner");
  const row = (name: string) => rows.find(({ measure }) => measure === name);
  expect(row("ANB")).toMatchObject({ implausible: ["A"], difference: null, deviations: null, place: null });
  expect(row("SNB")).toMatchObject({ implausible: [], place: expect.any(String) });
});
