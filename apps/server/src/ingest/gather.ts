import { rm } from "node:fs/promises";
import path from "node:path";
import type { FileKind } from "@arcada/imaging/recognise";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { Refused } from "../platform/http/refuse.ts";
import { finishUpload, usedBytes } from "../platform/upload/uploads.ts";
import type { Run } from "./run.ts";
import { kindOfSource, withPath, type Source } from "./source.ts";
import { threads, unzipMs } from "./threads.ts";
import { zipAllowance, type Allowance, type Unpacked } from "./unzip.ts";

export interface Refusal {
  name: string;
  refusal: RefusalName;
}
export type Recognised = Source & { kind: FileKind };

/** Moves the job's uploads into the store. */
export async function receive(run: Run): Promise<Source[]> {
  const { iid } = run.key;
  const sources: Source[] = [];
  for (const [place, id] of run.job.uploads.entries()) {
    await run.step("receiving", place / run.job.uploads.length);
    const { name, bytes, sha256 } = await run.as((db) => finishUpload({ db }, iid, id));
    sources.push({ name, sent: name, bytes, at: { sha256 } });
  }
  return sources;
}

/**
 * Unpacks archives and recognises the kind of every file. An archive with a fault is refused as a whole, the others
 * continue.
 */
export async function unpack(run: Run, sources: readonly Source[], refused: Refusal[]): Promise<Recognised[]> {
  const allowance = zipAllowance(await storageLeft(run, sources));
  const found: Recognised[] = [];
  for (const [place, source] of sources.entries()) {
    await run.step("unpacking", place / sources.length);
    found.push(
      ...(await opened(run, source, { allowance, refused, folder: path.join(run.folder, String(place)), depth: 0 })),
    );
  }
  return found;
}

/** The space of an archive itself is released once its files are stored. */
async function storageLeft(run: Run, sources: readonly Source[]): Promise<number> {
  const { stored, coming, allowed } = await run.as((db) => usedBytes(db, run.key.iid));
  return allowed - stored - coming + sources.reduce((sum, { bytes }) => sum + bytes, 0);
}

interface Opening {
  allowance: Allowance;
  refused: Refusal[];
  folder: string;
  depth: number;
}

async function opened(run: Run, source: Source & { kind?: FileKind }, opening: Opening): Promise<Recognised[]> {
  const kind = source.kind ?? (await kindOfSource(run.key.iid, source));
  if (kind !== "zip" || isDocument(source.name)) return [{ ...source, kind }];
  const { allowance, refused, folder, depth } = opening;
  const before = { ...allowance };
  try {
    if (depth > studyRules.zipDepth) throw new Refused("zipNested", null, false);
    const entries = await entriesOf(run, source, opening);
    const found: Recognised[] = [];
    for (const [place, { name, path: at, bytes, kind: inner }] of entries.entries()) {
      await run.step("unpacking", 0.5);
      found.push(
        ...(await opened(
          run,
          { name, sent: source.sent, bytes, at: { path: at }, kind: inner },
          { ...opening, folder: path.join(folder, `in-${place}`), depth: depth + 1 },
        )),
      );
    }
    return found;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // A refused inner archive refuses the outer one too, so that nothing is imported by half.
    if (depth > 0) throw error;
    await rm(folder, { recursive: true, force: true });
    Object.assign(allowance, before);
    refused.push({ name: source.name, refusal: error.refusal });
    return [];
  }
}

async function entriesOf(run: Run, source: Source, { folder, allowance }: Opening): Promise<Unpacked[]> {
  const onStep = (file: unknown) => {
    const { kind, path: at, bytes } = file as Unpacked;
    if (kind === "dicom") run.headers.begin({ path: at, bytes });
  };
  const options = { timeoutMs: unzipMs(source.bytes), signal: run.signal, onStep, group: run.key.iid };
  const open = () =>
    withPath(run.key.iid, source, (archive) => threads().archives.run({ archive, folder, allowance }, options));
  let answer = await open();
  // The thread may have died for another reason than its archive.
  if ("died" in answer) {
    await rm(folder, { recursive: true, force: true });
    run.headers.forget();
    answer = await open();
  }
  if ("refusal" in answer)
    throw new Refused(answer.refusal === "fileBroken" ? "zipBroken" : answer.refusal, null, false);
  Object.assign(allowance, answer.value.left);
  return answer.value.files;
}

/** Programs and documents that are archives inside: the discs of devices contain viewers of their own. */
const isDocument = (name: string): boolean =>
  /\.(docx|xlsx|pptx|od[tspg]|epub|jar|war|apk|xpi|3mf|kmz|cbz|whl|nupkg|vsix)$/i.test(name);
