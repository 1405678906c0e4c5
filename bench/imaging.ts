import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { startPostgres } from "../apps/server/src/kernel/postgres.ts";
import { newId } from "../apps/server/src/kernel/ids.ts";
import { freePort, Product } from "../tests/product.ts";
import { makeClinic, type Clinic } from "./clinic.ts";
import { interleaved, roundSeconds, type Figure } from "./figures.ts";
import { cbct, film, type Slice } from "./imaging-files.ts";
import { storeSpeed, stowSpeed, type Target } from "./imaging-senders.ts";
import { plantStudies } from "./imaging-studies.ts";
import { startNginx, startOrthanc } from "./orthanc.ts";

export const imagingParts = ["stow", "cstore", "qido", "frames"] as const;
type Part = (typeof imagingParts)[number];
type Say = (line: string) => void;

interface Bench {
  ours: Target;
  /** Null: not installed here. */
  peer: Target | null;
  clinic: Clinic;
  connection: Parameters<typeof plantStudies>[0];
  say: Say;
}

/** The ways in and out that other programs use, beside Orthanc and, for bytes alone, nginx. */
export async function measureImaging(wanted: readonly Part[], say: Say): Promise<Figure[]> {
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
      const clinic = await makeClinic(postgres.connection, 1, iid);
      const ours = { base: `${product.address}/dicomweb`, token: clinic.token, dicomPort, calledTitle: "ARCADA" };
      const peer = orthanc && { base: orthanc.base, dicomPort: orthanc.dicomPort, calledTitle: "ORTHANC" };
      const bench: Bench = { ours, peer, clinic, connection: postgres.connection, say };
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
  stow: (bench) => sending(bench, "STOW-RS in requests of 20", "connections", stowSpeed),
  cstore: (bench) => sending(bench, "C-STORE", "associations", storeSpeed),
  qido: searching,
  frames: framing,
};

const slices = 400;
type Speed = (target: Target, slices: readonly Slice[], atOnce: number) => Promise<number>;

async function sending(bench: Bench, what: string, lanes: string, speed: Speed): Promise<Figure[]> {
  const { ours, peer, say } = bench;
  const figures: Figure[] = [];
  for (const atOnce of [1, 4]) {
    say(`${what}, ${atOnce} ${lanes} …`);
    const run = (target: Target, last: boolean) => async () => {
      const seen = await speed(target, cbct(newId(), slices), atOnce);
      if (last) await quiet(bench);
      return seen;
    };
    const seen = await interleaved<string>({ ours: run(ours, true), ...(peer && { peer: run(peer, false) }) }, 3);
    figures.push({
      what: `${what}: ${slices} slices of 512 × 512, ${atOnce} ${lanes}, each on the disk when it is acknowledged`,
      ours: seen.ours!,
      unit: "instances/s",
      ...(peer && { peer: { what: "Orthanc", value: seen.peer! } }),
      ...(peer && atOnce === 4 && { goal: { least: 1 } }),
    });
  }
  return figures;
}

/** Until what came is converted: the next round has the machine to itself. */
async function quiet({ connection }: Bench): Promise<void> {
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

async function searching({ ours, peer, clinic, connection, say }: Bench): Promise<Figure[]> {
  say(`${studies} studies are made …`);
  const films = Array.from({ length: studies }, (_, place) => film(place));
  await plantStudies(connection, clinic, films);
  if (peer) await stowSpeed(peer, films, 4);
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
    const seen = await interleaved<string>({
      ours: () => load(ours, `/studies?${query}`, "application/dicom+json"),
      ...(isRight && { peer: () => load(peer, `/studies?${query}`, "application/dicom+json") }),
    });
    figures.push({
      what: `QIDO-RS, ${name}: 25 of ${studies} studies, 8 connections`,
      ours: seen.ours!,
      unit: "req/s",
      ...(isRight && { peer: { what: "Orthanc", value: seen.peer! }, goal: { least: 20 } }),
      ...(peer && !isRight && { goal: { least: 460 } }),
    });
    if (peer && !isRight) say(`Orthanc does not find them (${name}): no peer.`);
  }
  return figures;
}

const autocannon = fileURLToPath(import.meta.resolve("autocannon"));
const run = promisify(execFile);

async function load({ base, token }: Pick<Target, "base" | "token">, at: string, accept: string): Promise<number> {
  const headers = ["-H", `accept=${accept}`, ...(token ? ["-H", `authorization=Bearer ${token}`] : [])];
  const options = ["-j", "-n", "-c", "8", "-d", String(roundSeconds), ...headers, `${base}${at}`];
  const { stdout } = await run(process.execPath, [autocannon, ...options], { maxBuffer: 1 << 24 });
  const seen = JSON.parse(stdout) as { requests: { average: number }; non2xx: number; errors: number };
  if (seen.non2xx > 0 || seen.errors > 0) throw new Error(`${at}: ${seen.non2xx} refused, ${seen.errors} failed`);
  return seen.requests.average;
}

async function framing({ ours, peer, say }: Bench): Promise<Figure[]> {
  say("Frames of a volume …");
  const volume = cbct("frames", slices);
  for (const target of [ours, ...(peer ? [peer] : [])]) await stowSpeed(target, volume, 2);
  const { study, series, uid } = volume[slices / 2]!;
  const frame = `/studies/${study}/series/${series}/instances/${uid}/frames/1`;
  await stands(ours, frame);
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-frames-"));
  mkdirSync(path.join(folder, path.dirname(frame)), { recursive: true });
  const { bytes } = volume[slices / 2]!;
  writeFileSync(path.join(folder, frame), bytes.subarray(bytes.length - 512 * 512 * 2));
  const nginx = await startNginx(folder);
  try {
    const accept = 'multipart/related; type="application/octet-stream"; transfer-syntax=*';
    const seen = await interleaved<string>({
      ours: () => load(ours, frame, accept),
      ...(peer && { orthanc: () => load(peer, frame, accept) }),
      ...(nginx && { nginx: () => load(nginx, frame, accept) }),
    });
    const figure = {
      what: "WADO-RS, a frame of 512 × 512 at 16 bits, 8 connections",
      ours: seen.ours!,
      unit: "frames/s",
    };
    return [
      { ...figure, ...(peer && { peer: { what: "Orthanc", value: seen.orthanc! }, goal: { least: 1.5 } }) },
      ...(nginx
        ? [{ ...figure, peer: { what: "nginx, the same bytes", value: seen.nginx! }, goal: { least: 0.6 } }]
        : []),
    ];
  } finally {
    await nginx?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stands({ base, token }: Target, at: string): Promise<void> {
  for (let round = 0; round < 600; round++) {
    const answer = await fetch(`${base}${at}`, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${at} does not come`);
}
