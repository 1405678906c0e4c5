import { createHash } from "node:crypto";
import { studyRules } from "@arcada/contract/study/study.rules";
import { orFull, writeAll } from "../kernel/files-durable.ts";
import { newId } from "../kernel/ids.ts";
import { Refused, refuse } from "../kernel/refuse.ts";
import { jobs, parts } from "../kernel/services.ts";
import { chosen, rangesOf } from "./accept.ts";
import { datasetText, type JsonDataset } from "./dicom-json.ts";
import type { ReadInstance } from "./dicom-tasks.ts";
import { isUid } from "./index.jobs.ts";
import { boundaryOf, readMultipart, type PartSink } from "./multipart-read.ts";
import { note, type Asked } from "./request.ts";
import * as store from "./store.store.ts";
import { openedBy } from "./threads.ts";

/** PS3.18 table I.2-2; those from C101 on are ours: no patient, or more than one, whose the file can be. */
export const failures = {
  processing: 0x0110,
  duplicate: 0x0111,
  noRoom: 0xa700,
  otherStudy: 0xa900,
  unreadable: 0xc000,
  patientUnknown: 0xc101,
  patientNotSure: 0xc102,
} as const;
type Failure = keyof typeof failures;

interface Came {
  /** Null: the bytes are no DICOM file with UIDs. */
  read: ReadInstance | null;
  failure: Failure | null;
  /** The upload that holds it; null where the same bytes were here. */
  upload: { id: string; patient: string } | null;
}

/** STOW-RS (PS3.18 10.5): what it acknowledges is on the disk and on its way to its patient. */
export async function storeInstances(asked: Asked) {
  const { request, reply, base } = asked;
  if (!chosen(rangesOf(asked.accept), ["application/dicom+json", "application/json"])) return refuse("notAcceptable");
  const boundary = boundaryOf(request.headers["content-type"]);
  const came: Came[] = [];
  try {
    await readMultipart(request.raw, boundary, (headers) => partOf(asked, headers, came));
    if (came.length === 0) return refuse("badInput", { body: "multipart" });
    await openJobs(asked, came);
  } catch (error) {
    for (const { upload } of came) if (upload) await drop(asked, upload.id);
    // The rest of the body would be read for nothing.
    reply.header("connection", "close");
    throw error;
  }
  const failed = came.filter(({ failure }) => failure !== null).length;
  const status = failed === 0 ? 200 : failed < came.length ? 202 : 409;
  return reply.code(status).type("application/dicom+json").send(answerOf(came, base));
}

async function partOf(asked: Asked, headers: ReadonlyMap<string, string>, came: Came[]): Promise<PartSink> {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "application/dicom";
  if (type !== "application/dicom") return refuse("unsupportedMedia");
  const id = newId();
  await parts().make(id);
  const file = await parts().open(id);
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    write: async (piece) => {
      if (bytes + piece.length > studyRules.fileBytes) refuse("tooLarge");
      hash.update(piece);
      await orFull(writeAll(file, piece, bytes));
      bytes += piece.length;
    },
    fail: async () => {
      await file.close();
      await parts().remove(id);
    },
    end: async () => {
      await file.sync().finally(() => file.close());
      came.push(await settled(asked, { id, bytes, sha256: hash.digest("hex") }));
    },
  };
}

interface Written {
  id: string;
  bytes: number;
  sha256: string;
}

/** What becomes of a file that lies here. */
async function settled(asked: Asked, file: Written): Promise<Came> {
  const refused = async (read: ReadInstance | null, failure: Failure): Promise<Came> => {
    await parts().remove(file.id);
    return { read, failure, upload: null };
  };
  const read = file.bytes === 0 ? null : await readPart(file);
  if (!read || ![read.study, read.series, read.uid].every(isUid)) return refused(null, "unreadable");
  if (asked.place.study !== undefined && asked.place.study !== read.study) return refused(read, "otherStudy");
  const { iid, uid } = asked;
  try {
    return await asked.as(async (db): Promise<Came> => {
      const there = await store.known(db, iid, read);
      if (there === "other") return refused(read, "duplicate");
      if (there === "same") return { ...(await refused(read, "duplicate")), failure: null };
      const [patient, second] = await store.patientsOf(db, iid, read);
      if (patient === undefined) return refused(read, "patientUnknown");
      if (second !== undefined) return refused(read, "patientNotSure");
      await store.keepUpload(db, iid, uid, { ...file, name: `${read.uid}.dcm` });
      return { read, failure: null, upload: { id: file.id, patient } };
    });
  } catch (error) {
    if (error instanceof Refused && error.refusal === "quotaExceeded") return refused(read, "noRoom");
    await parts().remove(file.id);
    throw error;
  }
}

async function readPart({ id, bytes, sha256 }: Written): Promise<ReadInstance | null> {
  try {
    const { instance } = await openedBy({ do: "read", path: parts().pathOf(id) }, bytes);
    return { ...instance, sha256 };
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

async function openJobs(asked: Asked, came: Came[]): Promise<void> {
  const { iid, uid } = asked;
  markRepeated(came);
  const kept = came.flatMap(({ upload, failure }) => (upload && failure === null ? [upload] : []));
  for (const { upload, failure } of came) if (upload && failure !== null) await drop(asked, upload.id);
  await asked.as(async (db) => {
    note(asked, db, "study.upload", null, { files: came.length, kept: kept.length });
    for (const [patient, uploads] of Map.groupBy(kept, (upload) => upload.patient)) {
      const ids = uploads.map(({ id }) => id);
      const job = await store.openJob(db, iid, uid, patient, ids);
      await jobs().send(db, "ingest", { iid, job }, { singletonKey: job });
    }
  });
}

/** Two parts of one request with the same UID: the first is kept; the same bytes are acknowledged, others are refused. */
function markRepeated(came: Came[]): void {
  const first = new Map<string, string>();
  for (const one of came) {
    if (!one.read || !one.upload) continue;
    const at = `${one.read.study} ${one.read.uid}`;
    const sha256 = first.get(at);
    if (sha256 === undefined) first.set(at, one.read.sha256);
    else if (sha256 !== one.read.sha256) one.failure = "duplicate";
  }
}

async function drop({ as, iid }: Asked, id: string): Promise<void> {
  await as((db) => store.forgetUpload(db, iid, id)).catch(() => {});
  await parts().remove(id);
}

function answerOf(came: readonly Came[], base: string): string {
  const items = (wanted: boolean): JsonDataset[] =>
    came.filter(({ failure }) => (failure === null) === wanted).map((one) => itemOf(one, base));
  const [stored, failed] = [items(true), items(false)];
  const study = came.find(({ read, failure }) => read && failure === null)?.read?.study;
  return datasetText({
    ...(study && { "00081190": { vr: "UR", Value: [`${base}/studies/${study}`] } }),
    ...(failed.length > 0 && { "00081198": { vr: "SQ", Value: failed } }),
    ...(stored.length > 0 && { "00081199": { vr: "SQ", Value: stored } }),
  });
}

function itemOf({ read, failure }: Came, base: string): JsonDataset {
  const at = read && `${base}/studies/${read.study}/series/${read.series}/instances/${read.uid}`;
  return {
    ...(read && { "00081150": { vr: "UI", Value: [read.sopClass] }, "00081155": { vr: "UI", Value: [read.uid] } }),
    ...(at && failure === null && { "00081190": { vr: "UR", Value: [at] } }),
    ...(failure !== null && { "00081197": { vr: "US", Value: [failures[failure]] } }),
  };
}
