import { createHash } from "node:crypto";
import { studyRules } from "@arcada/contract/study/study.rules";
import { refuseWhenFull } from "../../platform/storage/durable-writes.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { receiveChunks } from "../../platform/runtime/received-chunks.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { uploadParts } from "../../platform/runtime/services.ts";
import { requireSpace } from "../../platform/upload/storage-quota.ts";
import { chooseType, parseAccept } from "../accept-header.ts";
import { serialiseDataset, type JsonDataset } from "../dicom-json.ts";
import {
  discardFiles,
  identifyFile,
  keepFiles,
  type ReceivedFile,
  type IntakeFailure,
} from "../intake/keep-received-files.ts";
import { readBoundary, readMultipart, type PartSink } from "./multipart-reader.ts";
import { auditAccess, type DicomwebContext } from "../dicomweb-context.ts";

/** PS3.18 table I.2-2. */
export const failureReasons = {
  processing: 0x0110,
  duplicate: 0x0111,
  noPixels: 0x0122,
  noRoom: 0xa700,
  otherStudy: 0xa900,
  unreadable: 0xc000,
} as const satisfies Record<IntakeFailure, number>;

/** STOW-RS (PS3.18 10.5): an acknowledged file is on the disk and on its way to its patient. */
export async function storeInstances(context: DicomwebContext) {
  const { request, reply, baseUrl, iid, uid, withTenant, resource, origin } = context;
  if (!chooseType(parseAccept(context.accept), ["application/dicom+json", "application/json"]))
    return refuse("notAcceptable");
  const boundary = readBoundary(request.headers["content-type"]);
  await assertSpace(context);
  const came = (await receiveFiles(context, boundary)).map((one) => checkStudy(one, resource.study));
  // Drop the files of a device that was locked in the meantime. The device still has them and sends them again.
  await context.recheckAccess().catch(async (error: unknown) => {
    await discardFiles(came, new Set());
    throw error;
  });
  // One flush for the names of all files.
  await uploadParts().syncNames();
  const settled = await keepFiles({ iid, uid, origin, as: withTenant }, came, (db, kept) =>
    auditAccess(context, db, "study.upload", null, { files: came.length, kept }),
  );
  const failed = settled.filter(({ failure }) => failure !== null).length;
  const status = failed === 0 ? 200 : failed < settled.length ? 202 : 409;
  return reply.code(status).type("application/dicom+json").send(buildResponse(settled, baseUrl));
}

/** If no space is left, the body is not even read. If a body fits in part, the rest is refused file by file. */
async function assertSpace({ withTenant, iid, reply }: DicomwebContext): Promise<void> {
  try {
    await withTenant((db) => requireSpace(db, iid));
  } catch (error) {
    reply.header("connection", "close");
    throw error;
  }
}

/** Receives the body's files, each written to the disk and read; if the body breaks off, none of them stay. */
async function receiveFiles({ request, reply, iid }: DicomwebContext, boundary: string): Promise<ReceivedFile[]> {
  const arriving: Promise<ReceivedFile>[] = [];
  // A sender may be as slow as its line, but one that sends nothing would keep files open for nothing.
  const stalled = () => void request.raw.destroy(new Error("the sender stalls"));
  try {
    const chunks = receiveChunks(request.raw);
    await readMultipart(chunks, boundary, (headers) => openPart(headers, arriving, iid), stalled);
    return arriving.length > 0 ? await Promise.all(arriving) : refuse("badInput", { body: "multipart" });
  } catch (error) {
    const here = await Promise.allSettled(arriving);
    await discardFiles(
      here.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
      new Set(),
    );
    // The rest of the body would be read for nothing.
    reply.header("connection", "close");
    throw error;
  }
}

const checkStudy = (one: ReceivedFile, study: string | undefined): ReceivedFile =>
  one.failure === null && study !== undefined && one.read?.study !== study ? { ...one, failure: "otherStudy" } : one;

/** Number of files that are flushed and read at once while the next one arrives. */
const maxParallelFiles = 8;

async function openPart(
  headers: ReadonlyMap<string, string>,
  arriving: Promise<ReceivedFile>[],
  iid: string,
): Promise<PartSink> {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "application/dicom";
  if (type !== "application/dicom") return refuse("unsupportedMedia");
  await arriving.at(-maxParallelFiles);
  const id = newId();
  const file = await refuseWhenFull(uploadParts().open(id));
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    write: async (chunk) => {
      if (bytes + chunk.length > studyRules.fileBytes) refuse("tooLarge");
      const written = refuseWhenFull(file.write(chunk));
      // Another thread writes meanwhile.
      hash.update(chunk);
      await written;
      bytes += chunk.length;
    },
    fail: async () => {
      await file.close();
      await uploadParts().remove(id);
    },
    end: async () => {
      const settled = (async () => {
        try {
          await refuseWhenFull(file.sync()).finally(() => file.close());
          return await identifyFile({ id, bytes, sha256: hash.digest("hex") }, iid);
        } catch (error) {
          await uploadParts().remove(id);
          throw error;
        }
      })();
      // Awaited together with all others.
      settled.catch(() => {});
      arriving.push(settled);
    },
  };
}

function buildResponse(came: readonly ReceivedFile[], baseUrl: string): string {
  const items = (wanted: boolean): JsonDataset[] =>
    came.filter(({ failure }) => (failure === null) === wanted).map((one) => buildReferencedItem(one, baseUrl));
  const [stored, failed] = [items(true), items(false)];
  const study = came.find(({ read, failure }) => read && failure === null)?.read?.study;
  return serialiseDataset({
    ...(study && { "00081190": { vr: "UR", Value: [`${baseUrl}/studies/${study}`] } }),
    ...(failed.length > 0 && { "00081198": { vr: "SQ", Value: failed } }),
    ...(stored.length > 0 && { "00081199": { vr: "SQ", Value: stored } }),
  });
}

function buildReferencedItem({ read, failure }: ReceivedFile, baseUrl: string): JsonDataset {
  const at = read && `${baseUrl}/studies/${read.study}/series/${read.series}/instances/${read.uid}`;
  return {
    ...(read && { "00081150": { vr: "UI", Value: [read.sopClass] }, "00081155": { vr: "UI", Value: [read.uid] } }),
    ...(at && failure === null && { "00081190": { vr: "UR", Value: [at] } }),
    ...(failure !== null && { "00081197": { vr: "US", Value: [failureReasons[failure]] } }),
  };
}
