import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { openStream } from "../clinics-at-work.ts";
import { readCpuMs } from "../lib/compare-runs.ts";
import type { Figure } from "../lib/figure-table.ts";
import { percentile } from "../live-events.ts";
import { actions, createSampleFiles, createWorkplaces } from "./clinic-actions.ts";
import type { SampleFiles, Workplace } from "./clinic-actions.ts";
import { measuredKinds, ordinaryDay } from "./clinic-day.ts";
import type { ClinicDay, MeasuredKind } from "./clinic-day.ts";
import { demandOf } from "./machines.ts";

const clinics = Number(process.env.ARCADA_BENCH_CLINICS ?? 40);
/** The length of the compressed day, and the part of each clinic's work that falls into it. */
const seconds = Number(process.env.ARCADA_BENCH_DAY_SECONDS ?? 360);
const part = Number(process.env.ARCADA_BENCH_DAY_PART ?? 0.05);
/** CBCTs that are there when the day begins, so that some can be opened. */
const firstVolumes = 4;

interface Piece {
  kind: MeasuredKind;
  /** Milliseconds from the begin of the day. */
  at: number;
}
interface Done extends Piece {
  ms: number;
}

/**
 * Runs a part of an ordinary day of many clinics in a few minutes, with its busiest hour, and compares the processor time
 * with what the model of machines expects of the same work. Pieces of work begin at random moments, whether or not
 * others have ended, as people do not wait for each other. The load generator runs on the same machine and is not
 * counted.
 */
export async function measureDay(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off", FREE_STORAGE_GB: "1000" });
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  try {
    await product.start();
    say(`${clinics} clinics of 1,000 patients and 200 orders are made …`);
    const places = await createWorkplaces(product, clinics, { patients: 1000, orders: 200 });
    const files = createSampleFiles();
    for (const place of places) {
      await actions.patientList(place, files);
      for (let person = 0; person < ordinaryDay.people; person++)
        await openStream(agent, product.address, place.clinic.token);
    }
    for (const place of places.slice(0, firstVolumes)) await actions.cbctUpload(place, files);
    const pieces = planDay(ordinaryDay);
    say(`A day of ${pieces.length} pieces of work in ${seconds} s …`);
    const [server, database] = [[product.pid], [product.postmasterPid()]];
    const before = [readCpuMs(server) ?? 0, readCpuMs(database) ?? 0];
    const from = performance.now();
    const { done, failed } = await runDay(pieces, places, files);
    const elapsed = performance.now() - from;
    const cores = [readCpuMs(server) ?? 0, readCpuMs(database) ?? 0].map(
      (after, index) => (after - before[index]) / elapsed,
    );
    return figuresOf({ pieces, done, failed, cores, elapsed });
  } finally {
    agent.destroy();
    await product.remove();
  }
}

/** Spreads the pieces of work over the day: the busiest hour has its share, the others have the same each. */
function planDay({ work, hours, peakShare }: ClinicDay): Piece[] {
  const hour = (seconds * 1000) / hours;
  const busiest = Math.floor(hours / 2);
  const draw = (): number => {
    const inBusiest = Math.random() < peakShare;
    const other = Math.floor(Math.random() * (hours - 1));
    return ((inBusiest ? busiest : other < busiest ? other : other + 1) + Math.random()) * hour;
  };
  return measuredKinds
    .flatMap((kind) => Array.from({ length: Math.round(clinics * work[kind] * part) }, () => ({ kind, at: draw() })))
    .toSorted((one, other) => one.at - other.at);
}

async function runDay(
  pieces: Piece[],
  places: Workplace[],
  files: SampleFiles,
): Promise<{ done: Done[]; failed: string[] }> {
  const [done, failed]: [Done[], string[]] = [[], []];
  const began = performance.now();
  const running = new Set<Promise<void>>();
  for (const piece of pieces) {
    const wait = began + piece.at - performance.now();
    if (wait > 1) await sleep(wait);
    const place = choosePlace(piece.kind, places);
    const from = performance.now();
    const one = actions[piece.kind](place, files)
      .then(() => void done.push({ ...piece, ms: performance.now() - from }))
      .catch((error: Error) => void failed.push(`${piece.kind}: ${error.message}`))
      .finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
  return { done, failed };
}

/** Only a place with a volume can open one. */
function choosePlace(kind: MeasuredKind, places: Workplace[]): Workplace {
  const able = kind === "cbctOpen" ? places.filter(({ volumes }) => volumes.length > 0) : places;
  return present(able[Math.floor(Math.random() * able.length)], "workplace");
}

interface Seen {
  pieces: Piece[];
  done: Done[];
  failed: string[];
  /** Cores of the server, and of the database. */
  cores: number[];
  /** Milliseconds. */
  elapsed: number;
}

function figuresOf({ pieces, done, failed, cores, elapsed }: Seen): Figure[] {
  const expected = demandOf(asHour(pieces, elapsed / 1000), clinics);
  const what = `a part of ${part} of a day of ${clinics} clinics in ${seconds} s`;
  const timesOf = (kinds: readonly MeasuredKind[], from = 0, to = Number.POSITIVE_INFINITY): number[] =>
    done.filter(({ kind, at }) => kinds.includes(kind) && at >= from && at < to).map(({ ms }) => ms);
  const calls = measuredKinds.filter((kind) => !/Upload$|^signIn$|^cbctOpen$/.test(kind));
  const volumes = timesOf(["cbctUpload"]);
  const hour = (seconds * 1000) / ordinaryDay.hours;
  const busiest = Math.floor(ordinaryDay.hours / 2) * hour;
  return [
    { what: `${what}: pieces of work`, ours: done.length, unit: "" },
    {
      what: `${what}: failed${failed[0] ? `, as ${failed[0]}` : ""}`,
      ours: failed.length,
      unit: "",
      goal: { most: 0 },
    },
    {
      what: `${what}: processor of the server`,
      ours: 1000 * present(cores[0]),
      peer: { what: "the model", value: 1000 * (expected.web + expected.worker) },
      unit: "ms a second",
    },
    {
      what: `${what}: processor of the database`,
      ours: 1000 * present(cores[1]),
      peer: { what: "the model", value: 1000 * expected.database },
      unit: "ms a second",
    },
    { what: `${what}: a call, p95`, ours: percentile(timesOf(calls), 95), unit: "ms" },
    {
      what: `${what}: a call in the busiest hour, p95`,
      ours: percentile(timesOf(calls, busiest, busiest + hour), 95),
      unit: "ms",
      goal: { most: 300 },
    },
    ...(volumes.length > 0
      ? [
          {
            what: `${what}: a CBCT with its upload until it is converted, longest`,
            ours: Math.max(...volumes) / 1000,
            unit: "s",
          },
        ]
      : []),
  ];
}

/** The work that was sent, as the only hour of a day for the model. */
function asHour(pieces: Piece[], elapsedSeconds: number): ClinicDay {
  const work = { ...ordinaryDay.work, analysis: 0 };
  for (const kind of measuredKinds) work[kind] = pieces.filter((piece) => piece.kind === kind).length / clinics;
  return { ...ordinaryDay, hours: 1, peakShare: 3600 / elapsedSeconds, work };
}
