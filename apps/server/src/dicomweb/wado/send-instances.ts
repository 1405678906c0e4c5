import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { isNative } from "@arcada/imaging/dicom/pixels/pixel-shape";
import { guardStream } from "../../platform/storage/guarded-stream.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { acceptedForms, parseAccept, type AcceptedForm } from "../accept-header.ts";
import { listStoredInstances, type StoredInstance } from "../indexed-instances.store.ts";
import { findCachedFrame, cacheFrame } from "./frame-cache.ts";
import { buildSinglePart, streamMultipart, type MultipartPart } from "./multipart-writer.ts";
import { findInstanceOfSeries } from "./series-cache.ts";
import { auditAccess, isUnchanged, type DicomwebContext } from "../dicomweb-context.ts";
import { runDicomTask } from "../worker/run-dicom-task.ts";

/** Returns the original files, without their preamble, of a study, a series or an instance (PS3.18 10.4.1.1.1). */
export async function sendInstances(context: DicomwebContext) {
  const { reply, resource, iid } = context;
  const found = resource.instance
    ? [await findInstanceOfSeries(context, requireInstances)]
    : await requireInstances(context);
  const forms = acceptedForms(parseAccept(context.accept)).filter(({ type }) =>
    mediaRangeCovers(type, "application/dicom"),
  );
  const form = forms.find(
    ({ syntax, multipart: inParts }) =>
      (inParts || resource.instance !== undefined) &&
      (syntax === null || syntax === "*" || found.every((one) => one.syntax === syntax)),
  );
  if (!form) return refuse("notAcceptable");
  if (isUnchanged(context, [form.multipart ? "parts" : "alone", ...found.map(({ sha256 }) => sha256)]))
    return reply.code(304).send();
  const location = `${context.baseUrl}${context.request.url.split("?")[0]!.slice("/dicomweb".length)}`;
  const headersOf = ({ syntax }: StoredInstance): MultipartPart["headers"] => ({
    "Content-Type": `application/dicom; transfer-syntax=${syntax}`,
    "Content-Location": location,
  });
  const [one] = found as [StoredInstance];
  if (found.length === 1 && one.bytes >= headBytes && one.bytes <= poolRules.most)
    return sendWholeFile(context, one, form.multipart ? headersOf(one) : null);
  if (!form.multipart)
    return reply
      .type("application/dicom")
      .send(guardStream(Readable.from(await readSourceFile(iid, one), { objectMode: false })));
  const sent = streamMultipart(
    "application/dicom",
    found.map((each): MultipartPart => ({ headers: headersOf(each), body: () => readSourceFile(iid, each) })),
  );
  return reply.type(sent.type).send(sent.stream);
}

/** Reads a file of usual size directly into the one buffer that is sent. `headers`: those of its part, if it is one. */
async function sendWholeFile(
  { reply, iid }: DicomwebContext,
  { sha256, bytes }: StoredInstance,
  headers: MultipartPart["headers"] | null,
) {
  const type = "application/dicom";
  const bytesOf = (count: number) => borrowBuffer(reply, count);
  const body = headers ? buildSinglePart(type, headers, bytes, bytesOf) : singleBody(type, bytesOf(bytes));
  await files().readInto("originals", iid, sha256, 0, body.place);
  blankPreambleBytes(body.place);
  return reply.type(body.type).send(body.bytes);
}

const readSourceFile = async (iid: string, { sha256 }: StoredInstance): Promise<AsyncIterable<Uint8Array>> =>
  blankPreamble(await files().read("originals", iid, sha256));

const preambleBytes = 128;
const headBytes = preambleBytes + 4;

/**
 * Returns a file's bytes with an empty preamble: a program may execute a preamble after the file is saved, and DICOM
 * gives it no meaning (PS3.10 7.1). A file without a preamble is not changed.
 */
async function* blankPreamble(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | null = new Uint8Array();
  for await (const chunk of source) {
    if (held === null) {
      yield chunk;
      continue;
    }
    held = Buffer.concat([held, chunk]);
    if (held.length < headBytes) continue;
    yield blankPreambleBytes(held);
    held = null;
  }
  if (held !== null) yield held;
}

function blankPreambleBytes(bytes: Uint8Array): Uint8Array {
  if (Buffer.from(bytes.subarray(preambleBytes, headBytes)).toString("latin1") === "DICM")
    bytes.fill(0, 0, preambleBytes);
  return bytes;
}

const mediaRangeCovers = (range: string, type: string): boolean =>
  range === type || range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));

/** Refuses with `notFound`, whether the instance belongs to another institution or does not exist. */
async function requireInstances(context: DicomwebContext, most?: number): Promise<StoredInstance[]> {
  const found = await context.withTenant(async (db) => {
    const rows = await listStoredInstances(db, context.resource, most);
    if (rows[0]) auditAccess(context, db, "study.read", rows[0].studyId);
    return rows;
  });
  return found.length > 0 ? found : refuse("notFound");
}
export const requireInstance = async (context: DicomwebContext): Promise<StoredInstance> =>
  (await requireInstances(context, 1))[0]!;

/** PS3.18 table 8.7.3-5: the media types of encoded frames. */
const mediaTypeBySyntax: Record<string, string> = {
  "1.2.840.10008.1.2.5": "image/dicom-rle",
  "1.2.840.10008.1.2.4.50": "image/jpeg",
  "1.2.840.10008.1.2.4.51": "image/jpeg",
  "1.2.840.10008.1.2.4.57": "image/jpeg",
  "1.2.840.10008.1.2.4.70": "image/jpeg",
  "1.2.840.10008.1.2.4.80": "image/jls",
  "1.2.840.10008.1.2.4.81": "image/jls",
  "1.2.840.10008.1.2.4.90": "image/jp2",
  "1.2.840.10008.1.2.4.91": "image/jp2",
  "1.2.840.10008.1.2.4.201": "image/jphc",
  "1.2.840.10008.1.2.4.202": "image/jphc",
  "1.2.840.10008.1.2.4.203": "image/jphc",
};
const explicitLittle = "1.2.840.10008.1.2.1";
const octetStream = "application/octet-stream";

interface FrameForm {
  /** True: as the file contains it; false: as plain values. */
  stored: boolean;
  type: string;
  syntax: string;
  multipart: boolean;
}

/** Returns frames (PS3.18 10.4.1.1.6): as they are stored if the client accepts that, else decoded. */
export async function sendFrameList(context: DicomwebContext, list: string) {
  const one = await findInstanceOfSeries(context, requireInstances);
  const wanted = list.split(",").map(Number);
  if (!/^\d{1,6}(,\d{1,6})*$/.test(list) || wanted.length > maxFrames) return refuse("badInput");
  if (wanted.some((frame) => frame < 1 || frame > one.frames)) return refuse("notFound");
  return sendFrames(context, one, wanted);
}
const maxFrames = 2000;

async function sendFrames(context: DicomwebContext, one: StoredInstance, wanted: readonly number[]) {
  const form =
    chooseFrameForm(one.syntax, acceptedForms(parseAccept(context.accept)), wanted.length) ?? refuse("notAcceptable");
  const { type, syntax } = form;
  if (isUnchanged(context, [one.sha256, type, syntax, String(form.multipart), wanted.join()]))
    return context.reply.code(304).send();
  if (wanted.length === 1 && isStoredContiguously(one, form)) return sendFrame(context, one, wanted[0]! - 1, form);
  const first = await readFrames(context, one, wanted.slice(0, framesPerBatch), form.stored);
  if (!form.multipart) return context.reply.type(`${type}; transfer-syntax=${syntax}`).send(Buffer.from(first[0]!));
  async function* generateParts(): AsyncGenerator<MultipartPart> {
    for (let from = 0; from < wanted.length; from += framesPerBatch) {
      const some =
        from === 0 ? first : await readFrames(context, one, wanted.slice(from, from + framesPerBatch), form!.stored);
      for (const bytes of some)
        yield { headers: { "Content-Type": `${type}; transfer-syntax=${syntax}` }, body: async () => [bytes] };
    }
  }
  const sent = streamMultipart(type, generateParts());
  return context.reply.type(sent.type).send(sent.stream);
}
const framesPerBatch = 16;

/** The file contains the frame in the form that is sent, and the frame is small enough to be held in memory. */
const isStoredContiguously = ({ syntax, framesAt, frameBytes }: StoredInstance, { stored }: FrameForm): boolean =>
  framesAt !== null && frameBytes !== null && frameBytes <= maxBufferedBytes && (stored || isNative(syntax));
const maxBufferedBytes = 64 * 1024 * 1024;

/** Viewers request single frames repeatedly. Read the frame directly into the one buffer that is sent. */
async function sendFrame({ reply, iid }: DicomwebContext, one: StoredInstance, frame: number, form: FrameForm) {
  const type = `${form.type}; transfer-syntax=${form.syntax}`;
  const key = [iid, one.sha256, frame, type, form.multipart].join(" ");
  const cached = findCachedFrame(key);
  if (cached) return reply.type(cached.type).send(cached.bytes);
  const [at, length] = [one.framesAt!, one.frameBytes!];
  const bytesOf = (count: number) => borrowBuffer(reply, count);
  const body = form.multipart
    ? buildSinglePart(form.type, { "Content-Type": type }, length, bytesOf)
    : singleBody(type, bytesOf(length));
  await files().readInto("originals", iid, one.sha256, at + frame * length, body.place);
  cacheFrame(key, body);
  return reply.type(body.type).send(body.bytes);
}

const poolRules = { step: 256 * 1024, most: 4 * 1024 * 1024, kept: 16 } as const;
const freeBuffers: Buffer[] = [];

/**
 * Bytes for an answer, which the next answer gets again. New ones for every frame would make collecting them a third of
 * all work: memory outside the heap counts against it.
 */
function borrowBuffer({ raw }: FastifyReply, length: number): Buffer {
  const size = Math.ceil(length / poolRules.step) * poolRules.step;
  if (size > poolRules.most) return Buffer.allocUnsafe(length);
  const index = freeBuffers.findIndex((one) => one.length === size);
  const buffer = freeBuffers.splice(index, index < 0 ? 0 : 1)[0] ?? Buffer.allocUnsafeSlow(size);
  // "finish" means that the operating system has taken every byte. After a broken connection it never comes, and the
  // buffers are not lent again.
  raw.once("finish", () => {
    freeBuffers.push(buffer);
    if (freeBuffers.length > poolRules.kept) freeBuffers.shift();
  });
  return buffer.subarray(0, length);
}

const singleBody = (type: string, bytes: Buffer) => ({ type, bytes, place: bytes });

function chooseFrameForm(stored: string, forms: readonly AcceptedForm[], count: number): FrameForm | null {
  const coded = mediaTypeBySyntax[stored];
  for (const { type, syntax, multipart: inParts } of forms) {
    if (!inParts && count > 1) continue;
    const takesStored = syntax === "*" || syntax === stored || (syntax === null && type !== octetStream);
    if (coded && takesStored && (mediaRangeCovers(type, coded) || (type === octetStream && syntax !== null)))
      return { stored: true, type: type === octetStream ? octetStream : coded, syntax: stored, multipart: inParts };
    const takesPlain = syntax === null || syntax === "*" || syntax === explicitLittle;
    if (takesPlain && mediaRangeCovers(type, octetStream))
      return { stored: false, type: octetStream, syntax: explicitLittle, multipart: inParts };
  }
  return null;
}

const readFrames = async (
  { iid }: DicomwebContext,
  { sha256, bytes }: StoredInstance,
  wanted: readonly number[],
  stored: boolean,
): Promise<Uint8Array[]> => {
  const places = wanted.map((frame) => frame - 1);
  const opened = await files().local("originals", iid, sha256, (path) =>
    runDicomTask({ do: "frames", path, frames: places, stored }, bytes, iid),
  );
  return opened.frames;
};

/** Returns a large value by its tag (PS3.18 10.4.1.1.5); the pixel data are all frames. */
export async function sendBulkData(context: DicomwebContext, tag: string) {
  const one = await requireInstance(context);
  if (!/^[0-9A-Fa-f]{8}$/.test(tag)) return refuse("notFound");
  if (tag.toUpperCase() === "7FE00010")
    return sendFrames(
      context,
      one,
      Array.from({ length: one.frames }, (_, frame) => frame + 1),
    );
  const form =
    acceptedForms(parseAccept(context.accept)).find(({ type }) => mediaRangeCovers(type, octetStream)) ??
    refuse("notAcceptable");
  const { bytes } = await files().local("originals", context.iid, one.sha256, (path) =>
    runDicomTask({ do: "bulk", path, tag }, one.bytes, context.iid),
  );
  if (!bytes) return refuse("notFound");
  if (isUnchanged(context, [one.sha256, tag, String(form.multipart)])) return context.reply.code(304).send();
  if (!form.multipart) return context.reply.type(octetStream).send(Buffer.from(bytes));
  const sent = streamMultipart(octetStream, [{ headers: { "Content-Type": octetStream }, body: async () => [bytes] }]);
  return context.reply.type(sent.type).send(sent.stream);
}
