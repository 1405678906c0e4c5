import { createHash } from "node:crypto";
import { studyRules } from "@arcada/contract/study/study.rules";
import { orFull, writeAll } from "../platform/storage/durable-writes.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { parts } from "../platform/runtime/services.ts";
import { needAnyRoom } from "../platform/upload/uploads.ts";
import { chosen, rangesOf } from "./accept.ts";
import { datasetText, type JsonDataset } from "./dicom-json.ts";
import { forget, identified, keep, type Came, type IntakeFailure } from "./intake.ts";
import { boundaryOf, readMultipart, type PartSink } from "./multipart-read.ts";
import { note, type Asked } from "./request.ts";

/** PS3.18 table I.2-2. */
export const failures = {
  processing: 0x0110,
  duplicate: 0x0111,
  noPixels: 0x0122,
  noRoom: 0xa700,
  otherStudy: 0xa900,
  unreadable: 0xc000,
} as const satisfies Record<IntakeFailure, number>;

/** STOW-RS (PS3.18 10.5): an acknowledged file is on the disk and on its way to its patient. */
export async function storeInstances(asked: Asked) {
  const { request, reply, base, iid, uid, as, place, origin } = asked;
  if (!chosen(rangesOf(asked.accept), ["application/dicom+json", "application/json"])) return refuse("notAcceptable");
  const boundary = boundaryOf(request.headers["content-type"]);
  await needSpace(asked);
  const came = (await received(asked, boundary)).map((one) => ofStudy(one, place.study));
  // Drop the files of a device that was locked in the meantime. The device still has them and sends them again.
  await asked.again().catch(async (error: unknown) => {
    await forget(came, new Set());
    throw error;
  });
  const settled = await keep({ iid, uid, origin, as }, came, (db, kept) =>
    note(asked, db, "study.upload", null, { files: came.length, kept }),
  );
  const failed = settled.filter(({ failure }) => failure !== null).length;
  const status = failed === 0 ? 200 : failed < settled.length ? 202 : 409;
  return reply.code(status).type("application/dicom+json").send(answerOf(settled, base));
}

/** If no space is left, the body is not even read. If a body fits in part, the rest is refused file by file. */
async function needSpace({ as, iid, reply }: Asked): Promise<void> {
  try {
    await as((db) => needAnyRoom(db, iid));
  } catch (error) {
    reply.header("connection", "close");
    throw error;
  }
}

/** Receives the body's files, each written to the disk and read; if the body breaks off, none of them stay. */
async function received({ request, reply, iid }: Asked, boundary: string): Promise<Came[]> {
  const arriving: Promise<Came>[] = [];
  // A sender may be as slow as its line, but one that sends nothing would keep files open for nothing.
  const stalled = () => void request.raw.destroy(new Error("the sender stalls"));
  try {
    await readMultipart(request.raw, boundary, (headers) => partOf(headers, arriving, iid), stalled);
    return arriving.length > 0 ? await Promise.all(arriving) : refuse("badInput", { body: "multipart" });
  } catch (error) {
    const here = await Promise.allSettled(arriving);
    await forget(
      here.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
      new Set(),
    );
    // The rest of the body would be read for nothing.
    reply.header("connection", "close");
    throw error;
  }
}

const ofStudy = (one: Came, study: string | undefined): Came =>
  one.failure === null && study !== undefined && one.read?.study !== study ? { ...one, failure: "otherStudy" } : one;

/** Number of files that are flushed and read at once while the next one arrives. */
const underWayMost = 8;

async function partOf(headers: ReadonlyMap<string, string>, arriving: Promise<Came>[], iid: string): Promise<PartSink> {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "application/dicom";
  if (type !== "application/dicom") return refuse("unsupportedMedia");
  await arriving.at(-underWayMost);
  const id = newId();
  const file = await orFull(parts().open(id));
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
      const settled = (async () => {
        try {
          await orFull(file.sync()).finally(() => file.close());
          return await identified({ id, bytes, sha256: hash.digest("hex") }, iid);
        } catch (error) {
          await parts().remove(id);
          throw error;
        }
      })();
      // Awaited together with all others.
      settled.catch(() => {});
      arriving.push(settled);
    },
  };
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
