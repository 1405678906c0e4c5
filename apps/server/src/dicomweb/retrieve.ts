import { Readable } from "node:stream";
import { isNative } from "@arcada/imaging/dicom/pixel-length";
import { guardedStream } from "../platform/storage/guarded-stream.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { partWishes, rangesOf, type PartWish } from "./accept.ts";
import { storedAt, type StoredInstance } from "./find.store.ts";
import { hotFrame, noteFrame } from "./hot-frames.ts";
import { lentBytes } from "./lent-bytes.ts";
import { framed, multipart, type Part } from "./multipart-write.ts";
import { instanceOfSeries } from "./recent-series.ts";
import { note, unchanged, type Asked } from "./request.ts";
import { withoutPreamble } from "./preamble.ts";
import { openedBy } from "./threads.ts";

/** Returns the original files, without their preamble, of a study, a series or an instance (PS3.18 10.4.1.1.1). */
export async function retrieve(asked: Asked) {
  const { reply, place, iid } = asked;
  const found = await instancesAt(asked);
  const wishes = partWishes(rangesOf(asked.accept)).filter(({ type }) => covers(type, "application/dicom"));
  const wish = wishes.find(
    ({ syntax, multipart: inParts }) =>
      (inParts || place.instance !== undefined) &&
      (syntax === null || syntax === "*" || found.every((one) => one.syntax === syntax)),
  );
  if (!wish) return refuse("notAcceptable");
  if (unchanged(asked, [wish.multipart ? "parts" : "alone", ...found.map(({ sha256 }) => sha256)]))
    return reply.code(304).send();
  if (!wish.multipart)
    return reply
      .type("application/dicom")
      .send(guardedStream(Readable.from(await originalOf(iid, found[0]!), { objectMode: false })));
  const sent = multipart(
    "application/dicom",
    found.map((one): Part => ({
      headers: {
        "Content-Type": `application/dicom; transfer-syntax=${one.syntax}`,
        "Content-Location": `${asked.base}${asked.request.url.split("?")[0]!.slice("/dicomweb".length)}`,
      },
      body: () => originalOf(iid, one),
    })),
  );
  return reply.type(sent.type).send(sent.stream);
}

const originalOf = async (iid: string, { sha256 }: StoredInstance): Promise<AsyncIterable<Uint8Array>> =>
  withoutPreamble(await files().read("originals", iid, sha256));

const covers = (range: string, type: string): boolean =>
  range === type || range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));

/** Refuses with `notFound`, whether the instance belongs to another institution or does not exist. */
async function instancesAt(asked: Asked, most?: number): Promise<StoredInstance[]> {
  const found = await asked.as(async (db) => {
    const rows = await storedAt(db, asked.place, most);
    if (rows[0]) note(asked, db, "study.read", rows[0].studyId);
    return rows;
  });
  return found.length > 0 ? found : refuse("notFound");
}
export const oneAt = async (asked: Asked): Promise<StoredInstance> => (await instancesAt(asked, 1))[0]!;

/** PS3.18 table 8.7.3-5: the media types of encoded frames. */
const codedTypes: Record<string, string> = {
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
const plain = "application/octet-stream";

interface FrameForm {
  /** True: as the file contains it; false: as plain values. */
  stored: boolean;
  type: string;
  syntax: string;
  multipart: boolean;
}

/** Returns frames (PS3.18 10.4.1.1.6): as they are stored if the client accepts that, else decoded. */
export async function frames(asked: Asked, list: string) {
  const one = await instanceOfSeries(asked, instancesAt);
  const wanted = list.split(",").map(Number);
  if (!/^\d{1,6}(,\d{1,6})*$/.test(list) || wanted.length > framesMost) return refuse("badInput");
  if (wanted.some((frame) => frame < 1 || frame > one.frames)) return refuse("notFound");
  return sendFrames(asked, one, wanted);
}
const framesMost = 2000;

async function sendFrames(asked: Asked, one: StoredInstance, wanted: readonly number[]) {
  const form = frameForm(one.syntax, partWishes(rangesOf(asked.accept)), wanted.length) ?? refuse("notAcceptable");
  const { type, syntax } = form;
  if (unchanged(asked, [one.sha256, type, syntax, String(form.multipart), wanted.join()]))
    return asked.reply.code(304).send();
  if (wanted.length === 1 && liesOpen(one, form)) return sendFrame(asked, one, wanted[0]! - 1, form);
  const first = await framesOf(asked, one, wanted.slice(0, framesAtOnce), form.stored);
  if (!form.multipart) return asked.reply.type(`${type}; transfer-syntax=${syntax}`).send(Buffer.from(first[0]!));
  async function* parts(): AsyncGenerator<Part> {
    for (let from = 0; from < wanted.length; from += framesAtOnce) {
      const some =
        from === 0 ? first : await framesOf(asked, one, wanted.slice(from, from + framesAtOnce), form!.stored);
      for (const bytes of some)
        yield { headers: { "Content-Type": `${type}; transfer-syntax=${syntax}` }, body: async () => [bytes] };
    }
  }
  const sent = multipart(type, parts());
  return asked.reply.type(sent.type).send(sent.stream);
}
const framesAtOnce = 16;

/** The file contains the frame in the form that is sent, and the frame is small enough to be held in memory. */
const liesOpen = ({ syntax, framesAt, frameBytes }: StoredInstance, { stored }: FrameForm): boolean =>
  framesAt !== null && frameBytes !== null && frameBytes <= heldMost && (stored || isNative(syntax));
const heldMost = 64 * 1024 * 1024;

/** Viewers request single frames repeatedly. Read the frame directly into the one buffer that is sent. */
async function sendFrame({ reply, iid }: Asked, one: StoredInstance, frame: number, form: FrameForm) {
  const type = `${form.type}; transfer-syntax=${form.syntax}`;
  const key = [iid, one.sha256, frame, type, form.multipart].join(" ");
  const hot = hotFrame(key);
  if (hot) return reply.type(hot.type).send(hot.bytes);
  const [at, length] = [one.framesAt!, one.frameBytes!];
  const bytesOf = (count: number) => lentBytes(reply, count);
  const body = form.multipart ? framed(form.type, type, length, bytesOf) : alone(type, bytesOf(length));
  await files().fill("originals", iid, one.sha256, at + frame * length, body.place);
  noteFrame(key, body);
  return reply.type(body.type).send(body.bytes);
}
const alone = (type: string, bytes: Buffer) => ({ type, bytes, place: bytes });

function frameForm(stored: string, wishes: readonly PartWish[], count: number): FrameForm | null {
  const coded = codedTypes[stored];
  for (const { type, syntax, multipart: inParts } of wishes) {
    if (!inParts && count > 1) continue;
    const takesStored = syntax === "*" || syntax === stored || (syntax === null && type !== plain);
    if (coded && takesStored && (covers(type, coded) || (type === plain && syntax !== null)))
      return { stored: true, type: type === plain ? plain : coded, syntax: stored, multipart: inParts };
    const takesPlain = syntax === null || syntax === "*" || syntax === explicitLittle;
    if (takesPlain && covers(type, plain))
      return { stored: false, type: plain, syntax: explicitLittle, multipart: inParts };
  }
  return null;
}

const framesOf = async (
  { iid }: Asked,
  { sha256, bytes }: StoredInstance,
  wanted: readonly number[],
  stored: boolean,
): Promise<Uint8Array[]> => {
  const places = wanted.map((frame) => frame - 1);
  const opened = await files().local("originals", iid, sha256, (path) =>
    openedBy({ do: "frames", path, frames: places, stored }, bytes, iid),
  );
  return opened.frames;
};

/** Returns a large value by its tag (PS3.18 10.4.1.1.5); the pixel data are all frames. */
export async function bulk(asked: Asked, tag: string) {
  const one = await oneAt(asked);
  if (!/^[0-9A-Fa-f]{8}$/.test(tag)) return refuse("notFound");
  if (tag.toUpperCase() === "7FE00010")
    return sendFrames(
      asked,
      one,
      Array.from({ length: one.frames }, (_, frame) => frame + 1),
    );
  const wish = partWishes(rangesOf(asked.accept)).find(({ type }) => covers(type, plain)) ?? refuse("notAcceptable");
  const { bytes } = await files().local("originals", asked.iid, one.sha256, (path) =>
    openedBy({ do: "bulk", path, tag }, one.bytes, asked.iid),
  );
  if (!bytes) return refuse("notFound");
  if (unchanged(asked, [one.sha256, tag, String(wish.multipart)])) return asked.reply.code(304).send();
  if (!wish.multipart) return asked.reply.type(plain).send(Buffer.from(bytes));
  const sent = multipart(plain, [{ headers: { "Content-Type": plain }, body: async () => [bytes] }]);
  return asked.reply.type(sent.type).send(sent.stream);
}
