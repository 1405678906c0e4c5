import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { compareRuns, measureCounted, figurePair, type Measurement } from "./lib/compare-runs.ts";
import { createClinic, type Clinic } from "./data/clinic.ts";
import { interleave, type Figure } from "./lib/figure-table.ts";
import { measureWriteSpeed } from "./lib/fsync-baseline.ts";
import { createCbct, createRadiograph, type Slice } from "./data/imaging-files.ts";
import { measureStore, measureStow, type Target } from "./peers/dicom-send-throughput.ts";
import { insertStudies } from "./data/insert-studies.ts";
import { measureRoundRobin } from "./lib/round-robin.ts";
import { measureLoad, loadProgram } from "./lib/load-generator.ts";
import { startNginx, startOrthanc } from "./peers/orthanc.ts";

export const imagingParts = ["stow", "cstore", "qido", "frames"] as const;
type Part = (typeof imagingParts)[number];
type Report = (line: string) => void;

interface Bench {
  ours: Target;
  /** Null: not installed here. */
  peer: Target | null;
  clinic: Clinic;
  connection: Parameters<typeof insertStudies>[0];
  folder: string;
  say: Report;
}

/** Measures the interfaces for other programs, in comparison with Orthanc and, for bytes alone, nginx. */
export async function measureImaging(wanted: readonly Part[], say: Report): Promise<Figure[]> {
  const [iid, dicomPort] = [newId(), await freePort()];
  const product = new Product({
    NODE_ENV: "production",
    LOGIN_STEP_UP: "off",
    DICOM_PORT: String(dicomPort),
    DICOM_CALLING_AES: `BENCH=${iid}`,
  });
  const orthanc = await startOrthanc();
  if (!orthanc) say("Orthanc is not installed here: Arcada alone is measured.");
  try {
    await product.start();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      const clinic = await createClinic(postgres.connection, 1, iid);
      const pids = [product.pid, product.postmasterPid()];
      const ours = { base: `${product.address}/dicomweb`, token: clinic.token, dicomPort, calledTitle: "ARCADA", pids };
      const peer = orthanc && { ...orthanc, calledTitle: "ORTHANC", pids: [orthanc.pid] };
      const { folder } = product;
      const bench: Bench = { ours, peer, clinic, connection: postgres.connection, folder, say };
      const figures: Figure[] = [];
      for (const part of wanted) figures.push(...(await parts[part](bench)));
      return figures;
    } finally {
      await postgres.stop();
    }
  } finally {
    await product.remove();
    await orthanc?.stop();
  }
}

const parts: Record<Part, (bench: Bench) => Promise<Figure[]>> = {
  stow: (bench) => measureSending(bench, "STOW-RS in requests of 20", "connections", measureStow),
  cstore: (bench) => measureSending(bench, "C-STORE", "associations", measureStore),
  qido: measureSearches,
  frames: measureFrames,
};

const slices = 400;
type Speed = (target: Target, slices: readonly Slice[], atOnce: number) => Promise<number>;

async function measureSending(bench: Bench, what: string, lanes: string, speed: Speed): Promise<Figure[]> {
  const { ours, peer, say, folder } = bench;
  const figures: Figure[] = [];
  for (const atOnce of [1, 4]) {
    say(`${what}, ${atOnce} ${lanes} …`);
    const run = (target: Target, last: boolean) => async () => {
      const seen = await measureCounted(
        target,
        () => speed(target, createCbct(newId(), slices), atOnce),
        () => slices,
      );
      if (last) await waitUntilIdle(bench);
      return seen;
    };
    const seen = await compareRuns({ ours: run(ours, true), ...(peer && { peer: run(peer, false) }) }, 3);
    const title = `${what}: ${slices} slices of 512 × 512, ${atOnce} ${lanes}`;
    figures.push(
      ...figurePair(seen, {
        what: `${title}, each on the disk when it is acknowledged`,
        unit: "instances/s",
        peer: "Orthanc",
        ...(atOnce === 4 && { goal: { least: what.startsWith("STOW") ? 1.5 : 1 } }),
      }),
    );
  }
  if (!what.startsWith("STOW")) return figures;
  const files = createCbct(newId(), slices).map(({ bytes }) => bytes);
  const seen = await interleave({
    flushed: () => measureWriteSpeed(folder, files, true),
    written: () => measureWriteSpeed(folder, files, false),
  });
  return [
    ...figures,
    {
      what: "the same files written by nobody's server, 20 at a time, each flushed",
      ours: seen.flushed,
      unit: "files/s",
      peer: { what: "only written", value: seen.written },
    },
  ];
}

/** Waits for the conversion of what arrived, so that the next round has the machine to itself. */
async function waitUntilIdle({ connection }: Bench): Promise<void> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    for (let calm = 0; calm < 2;) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const { rows } = await client.query<{ busy: number }>(busyJobs);
      calm = rows[0]?.busy === 0 ? calm + 1 : 0;
    }
  } finally {
    await client.end();
  }
}
const busyJobs = `select count(*)::int as busy from pgboss.job
  where name in ('intake.open', 'ingest', 'dicomweb.index') and state in ('created', 'retry', 'active')`;

const studies = 10_000;
const page = "limit=25";
const searches: Record<string, string> = {
  "first page": page,
  "deep page": `${page}&offset=${studies - 50}`,
  "name prefix": `${page}&PatientName=Zhang*`,
  "Chinese name": `${page}&PatientName=${encodeURIComponent("*张*")}`,
  "span of dates": `${page}&StudyDate=20240101-20240331`,
  "name and dates": `${page}&PatientName=Zhang*&StudyDate=20240101-20241231`,
};

async function measureSearches({ ours, peer, clinic, connection, say }: Bench): Promise<Figure[]> {
  say(`${studies} studies are made …`);
  const films = Array.from({ length: studies }, (_, place) => createRadiograph(place));
  await insertStudies(connection, clinic, films);
  if (peer) await measureStow(peer, films, 4);
  const figures: Figure[] = [];
  for (const [name, query] of Object.entries(searches)) {
    say(`Searches: ${name} …`);
    const found = async ({ base, token }: Target): Promise<number> => {
      const headers = { accept: "application/dicom+json", ...(token && { authorization: `Bearer ${token}` }) };
      const answer = await fetch(`${base}/studies?${query}`, { headers });
      return answer.status === 200 ? ((await answer.json()) as unknown[]).length : 0;
    };
    if ((await found(ours)) !== 25) throw new Error(`${name}: ${await found(ours)} found`);
    const isRight = peer !== null && (await found(peer)) === 25;
    const ask = (target: Target) => () => measureRequests(target, `/studies?${query}`, "application/dicom+json");
    const seen = await compareRuns({ ours: ask(ours), ...(isRight && { peer: ask(peer) }) }, 3);
    figures.push(
      ...figurePair(seen, {
        what: `QIDO-RS, ${name}: 25 of ${studies} studies, 8 connections (${loadProgram})`,
        unit: "req/s",
        peer: "Orthanc",
        goal: { least: 20 },
        alone: { least: 460 },
      }),
    );
    if (peer && !isRight) say(`Orthanc does not find them (${name}): no peer.`);
  }
  return figures;
}

const measureRequests = (
  target: Pick<Target, "base" | "token" | "pids">,
  at: string,
  accept: string,
): Promise<Measurement> =>
  measureCounted(
    target,
    () => measureLoad(`${target.base}${at}`, requestHeaders(target, accept)),
    (speed, seconds) => speed * seconds,
  );
const requestHeaders = ({ token }: Pick<Target, "token">, accept: string): Record<string, string> => ({
  accept,
  ...(token && { authorization: `Bearer ${token}` }),
});

async function measureFrames(bench: Bench): Promise<Figure[]> {
  const { ours, peer, say } = bench;
  say("Frames of a volume …");
  const volume = createCbct("frames", slices);
  for (const target of [ours, ...(peer ? [peer] : [])]) await measureStow(target, volume, 2);
  const frameOf = ({ study, series, uid }: Slice) => `/studies/${study}/series/${series}/instances/${uid}/frames/1`;
  const frame = frameOf(volume[slices / 2]);
  await waitUntilAvailable(ours, frame);
  await waitUntilIdle(bench);
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-frames-"));
  mkdirSync(path.join(folder, path.dirname(frame)), { recursive: true });
  const { bytes } = volume[slices / 2];
  writeFileSync(path.join(folder, frame), bytes.subarray(bytes.length - 512 * 512 * 2));
  const nginx = await startNginx(folder);
  try {
    const accept = 'multipart/related; type="application/octet-stream"; transfer-syntax=*';
    const ask = (target: Pick<Target, "base" | "token" | "pids">) => () => measureRequests(target, frame, accept);
    const runs = {
      ours: ask(ours),
      ...(peer && { orthanc: ask(peer) }),
      ...(nginx && { nginx: ask({ base: nginx.base, pids: [nginx.pid] }) }),
    };
    const seen = await compareRuns<"ours" | "orthanc" | "nginx">(runs, 5);
    const what = `WADO-RS, a frame of 512 × 512 at 16 bits, 8 connections (${loadProgram})`;
    const rowsOf = (other: Measurement | undefined, peerName: string, least: number) =>
      figurePair(
        { ours: seen.ours!, ...(other && { peer: other }) },
        { what, unit: "frames/s", peer: peerName, goal: { least } },
      );
    const measureAll = (target: Target, pathOf: (one: Slice) => string, accepted: string) => () =>
      measureCounted(
        target,
        () =>
          measureRoundRobin(
            volume.map((one) => `${target.base}${pathOf(one)}`),
            requestHeaders(target, accepted),
          ),
        (speed, seconds) => speed * seconds,
      );
    const compareAll = (pathOf: (one: Slice) => string, accepted: string) =>
      compareRuns(
        { ours: measureAll(ours, pathOf, accepted), ...(peer && { peer: measureAll(peer, pathOf, accepted) }) },
        3,
      );
    const each = await compareAll(frameOf, accept);
    const instanceOf = ({ study, series, uid }: Slice) => `/studies/${study}/series/${series}/instances/${uid}`;
    const whole = await compareAll(instanceOf, 'multipart/related; type="application/dicom"; transfer-syntax=*');
    return [
      ...rowsOf(seen.orthanc, "Orthanc", 1.5),
      ...figurePair(each, {
        what: "WADO-RS, the frames of that volume one after another, 8 connections (a client in Node)",
        unit: "frames/s",
        peer: "Orthanc",
        goal: { least: 1.5 },
      }),
      ...figurePair(whole, {
        what: "WADO-RS, the whole instances of that volume one after another, 8 connections (a client in Node)",
        unit: "instances/s",
        peer: "Orthanc",
        goal: { least: 1.5 },
      }),
      ...(seen.nginx ? rowsOf(seen.nginx, "nginx, the same bytes", 0.6) : []),
    ];
  } finally {
    await nginx?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function waitUntilAvailable({ base, token }: Target, at: string): Promise<void> {
  for (let round = 0; round < 600; round++) {
    const answer = await fetch(`${base}${at}`, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${at} does not come`);
}
