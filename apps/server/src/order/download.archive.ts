import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { safeName, type CleanCopy, type OpenArchive, type OpenCleaning } from "../platform/http/archive-routes.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { harmlessPieces } from "../platform/http/file-routes.ts";
import type { Lend } from "../platform/storage/file-store.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import type { Language } from "../platform/text/texts.ts";
import { zipLength, type ZipEntry } from "../platform/storage/zip.ts";
import { manifestOf, manifestPath, type Packed } from "./download.manifest.ts";
import { packedFiles } from "./download.names.ts";
import { downloadOf, showingOf, slicesOf, type Slice } from "./download.store.ts";
import { readOrder, readParts, type NamedOrder, type OrderParts } from "./order.read.ts";
import { shownBy, takenBy, type Taken } from "./order.takes.ts";
import { sideOf } from "./order.ts";
import { isVolume } from "./order.file-view.ts";

/** The content of an archive, and what its reader may see of it. */
export interface Wanted {
  order: NamedOrder;
  taken: Taken[];
  slices: Slice[];
  revisions: OrderParts["revisions"];
  language: Language;
  /** A link for guests leaves out data that name the patient, and free text with them. */
  nameless: boolean;
}

/** Opens archives of orders. The reader's rights are checked again at the time of the download. */
export const orderArchives =
  (database: Database, cleaning: OpenCleaning): OpenArchive =>
  async (iid, id, now) => {
    const wanted = await database.asSystem((db) => wantedOf(db, iid, id, now));
    const packed = packedFiles(wanted);
    const name = `${safeName(wanted.order.number)}.zip`;
    return { name, entries: entriesOf(wanted, packed, cleaning), whole: wholeOf(wanted, packed) };
  };

async function wantedOf(db: Db, iid: string, id: string, now: Date): Promise<Wanted> {
  const row = (await downloadOf(db, iid, id)) ?? refuse("linkExpired");
  const order = (await readOrder(db, iid, row.order_id)) ?? refuse("linkExpired");
  const parts = await readParts(db, order);
  const showing = row.share_id === null ? null : ((await showingOf(db, row.share_id)) ?? refuse("linkExpired"));
  const all = showing
    ? shownBy(parts.files, { ...showing, shareId: row.share_id! })
    : takenBy(order, parts.files, sideOf(order, { iid }), now);
  const taken = all.filter(({ file }) => row.files.includes(file.id));
  if (taken.length === 0) refuse("linkExpired");
  const volumes = taken.filter(({ file }) => isVolume(file)).map(({ file }) => file);
  const slices = await slicesOf(db, volumes);
  return {
    order,
    taken,
    slices,
    revisions: parts.revisions,
    language: row.language as Language,
    nameless: showing?.nameless ?? false,
  };
}

/** Known in advance if every file is sent unchanged. */
function wholeOf(wanted: Wanted, packed: readonly Packed[]): { bytes: number; tag: string } | null {
  if (packed.some(({ clean }) => clean !== null)) return null;
  const text = manifestOf(
    wanted,
    packed.map((file) => ({ ...file, sha256: "0".repeat(64) })),
    [],
  );
  const last = { path: manifestPath, at: madeAt(wanted), bytes: text.length };
  const bytes = zipLength([...packed, last]);
  const said = JSON.stringify([packed, wanted.order.version, text.toString()]);
  return bytes === null ? null : { bytes, tag: createHash("sha256").update(said).digest("hex") };
}

const madeAt = ({ order }: Wanted): Date => new Date(order.created_at);

async function* entriesOf(wanted: Wanted, packed: readonly Packed[], cleaning: OpenCleaning): AsyncGenerator<ZipEntry> {
  const written: Packed[] = [];
  const leftOut: string[] = [];
  let clean: Awaited<ReturnType<OpenCleaning>> | null = null;
  for (const file of packed) {
    if (file.clean === null) {
      yield hashed(file, { bytes: file.bytes, open: (lend) => originalOf(file, lend) }, (sha256) =>
        written.push({ ...file, sha256 }),
      );
      continue;
    }
    clean ??= await cleaning(file.clean);
    const copy = await freed(clean, file);
    if (!copy) {
      leftOut.push(file.path);
      continue;
    }
    try {
      const { size: bytes } = await stat(copy.path);
      const open = () => createReadStream(copy.path, { highWaterMark: chunk });
      yield hashed(file, { bytes, open }, (sha256) => written.push({ ...file, bytes, sha256 }));
    } finally {
      await copy.drop();
    }
  }
  const text = manifestOf(wanted, written, leftOut);
  yield { path: manifestPath, at: madeAt(wanted), bytes: text.length, open: () => [text] };
}
const chunk = 256 * 1024;

/** Null for a file that cannot be de-identified: it is left out, and the manifest lists it. */
async function freed(
  clean: (iid: string, sha256: string) => Promise<CleanCopy>,
  { iid, sha256 }: Packed,
): Promise<CleanCopy | null> {
  try {
    return await clean(iid, sha256);
  } catch (error) {
    if (error instanceof Refused && error.refusal !== "notFound") return null;
    throw error;
  }
}

/**
 * Stored files are named by their hash; a DICOM file leaves with an empty preamble, and a de-identified copy is another
 * file.
 */
function hashed(
  { path, at, sha256, isDicom, clean }: Packed,
  { bytes, open }: Pick<ZipEntry, "bytes" | "open">,
  done: (sha256: string) => void,
): ZipEntry {
  async function* read(lend: Lend): AsyncGenerator<Uint8Array> {
    const hash = isDicom || clean !== null ? createHash("sha256") : null;
    for await (const part of await open(lend)) {
      hash?.update(part);
      yield part;
    }
    done(hash?.digest("hex") ?? sha256);
  }
  return { path, at, bytes, open: read };
}

const originalOf = ({ iid, sha256, bytes }: Packed, lend: Lend) =>
  harmlessPieces(files(), { area: "originals", iid, sha256 }, { start: 0, end: bytes - 1 }, lend);
