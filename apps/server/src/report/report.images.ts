import { sql } from "kysely";
import { reportRules } from "@arcada/contract/report/report.schema";
import type { ReportBox, ReportContent } from "@arcada/contract/report/report.schema";
import type { Database, Db } from "../platform/database/database.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { files, secret } from "../platform/runtime/services.ts";
import type { ImageInfo } from "../tables/study-columns.ts";
import { cropImage } from "./crop-image.ts";
import type { Column, Row } from "../tables/row.ts";

interface ImageSize {
  instanceId: string;
  box: string;
  width: number;
  height: number;
}
/** An image that is stored with its report. */
export type StoredImage = ImageSize & { sha256: string };
/** An image that is not stored. */
export type UnstoredImage = ImageSize & { jpeg: Uint8Array };
interface ImageRequest {
  instanceId: string;
  /** For a cut-out, its box; for a radiograph under its tracing, its rotation. */
  key: string;
  box: ReportBox | null;
  turns: number;
}
type ImageSource = Row<"instance", "id"> &
  Row<"converted_file", "sha256"> & { picture: NonNullable<Column<"instance", "picture">> };

/** Returns a box as a key; empty: the whole image. */
export const boxKey = (box: ReportBox | null): string =>
  box ? [box.left, box.top, box.right, box.bottom].map((side) => Math.round(side)).join(",") : "";
export const rotatedTracingKey = (turns: number): string => `upright ${turns}`;
/** The key of an image in the image list. */
export const imageKey = ({ turns = 0 }: { turns?: number | undefined }): string => (turns ? `turned ${turns}` : "");
const listImageRequests = ({ images, toothPictures: toothImages, ceph }: ReportContent): ImageRequest[] => [
  ...images.map((image) => ({
    instanceId: image.instanceId,
    key: imageKey(image),
    box: null,
    turns: image.turns ?? 0,
  })),
  ...toothImages.map(({ instanceId, box }) => ({ instanceId, key: boxKey(box), box, turns: 0 })),
  ...(ceph?.drawing
    ? [
        {
          instanceId: ceph.instanceId,
          key: rotatedTracingKey(ceph.drawing.turns),
          box: null,
          turns: ceph.drawing.turns,
        },
      ]
    : []),
];

// Converts points on paper to pixels; a CSS pixel is three quarters of a point.
const pixelsFor = (points: number): number => Math.round((points * 4 * reportRules.pictureScale) / 3);
/** Sizes of images on paper: a panorama takes the whole width, a tooth a quarter. */
export const documentSizes = {
  wide: 499,
  half: 243,
  wideHeight: 260,
  halfHeight: 190,
  tooth: 115,
  toothHeight: 110,
  film: { width: 499, height: 300 },
} as const;
export const isWide = ({ width, height }: { width: number; height: number }): boolean => width / height >= 1.6;

const fitSize = ({ box, key, turns }: ImageRequest, { columns, rows }: ImageInfo) => {
  if (key.startsWith("upright"))
    return { width: pixelsFor(documentSizes.film.width), height: pixelsFor(documentSizes.film.height) };
  if (box) return { width: pixelsFor(documentSizes.tooth), height: pixelsFor(documentSizes.toothHeight) };
  return isWide(turns % 2 === 0 ? { width: columns, height: rows } : { width: rows, height: columns })
    ? { width: pixelsFor(documentSizes.wide), height: pixelsFor(documentSizes.wideHeight) }
    : { width: pixelsFor(documentSizes.half), height: pixelsFor(documentSizes.halfHeight) };
};

interface ReportKey {
  iid: string;
  uid: string;
  id: string;
}

/**
 * Returns the images of a report; missing ones are cut and stored with it. Images that cannot be shown any more are
 * left out.
 */
export const storeReportImages = (
  database: Database,
  request: ReportKey,
  content: ReportContent,
): Promise<StoredImage[]> =>
  forEachImage(database, request, content, async ({ jpeg, ...cut }) => {
    const { iid, uid, id } = request;
    const { sha256 } = await files().put("converted", iid, jpeg);
    await database.as({ system: false, iid, uid }, (db) =>
      sql`insert into report_picture (institution_id, report_id, instance_id, box, sha256, width, height)
        values (${iid}, ${id}, ${cut.instanceId}, ${cut.box}, ${sha256}, ${cut.width}, ${cut.height})
        on conflict do nothing`.execute(db),
    );
    return { ...cut, sha256 };
  });

/** Returns the address of an image that is stored with a report. */
export const buildReportImageUrl = (iid: string, sha256: string): string =>
  createFileUrl(secret(), { area: "converted", iid, sha256, name: "picture.jpg", type: "image/jpeg" });

/** Returns the first image of a tooth with a problem; null until the report's images have been cut. */
export async function findToothDetailUrl(
  db: Db,
  { iid, id }: Pick<ReportKey, "iid" | "id">,
  { toothPictures: [first] }: ReportContent,
): Promise<string | null> {
  if (!first) return null;
  const kept = await db
    .selectFrom("report_picture")
    .select("sha256")
    .where("institution_id", "=", iid)
    .where("report_id", "=", id)
    .where("instance_id", "=", first.instanceId)
    .where("box", "=", boxKey(first.box))
    .executeTakeFirst();
  return kept ? buildReportImageUrl(iid, kept.sha256) : null;
}

/** The same for who only reads: nothing is kept. */
export const loadReportImages = (
  database: Database,
  request: ReportKey,
  content: ReportContent,
): Promise<(StoredImage | UnstoredImage)[]> => forEachImage(database, request, content, (cut) => Promise.resolve(cut));

async function forEachImage<T extends ImageSize>(
  database: Database,
  { iid, uid, id }: ReportKey,
  content: ReportContent,
  take: (cut: UnstoredImage) => Promise<T>,
): Promise<(StoredImage | T)[]> {
  const requests = listImageRequests(content);
  if (requests.length === 0) return [];
  const within = <R>(work: Parameters<typeof database.as<R>>[1]) => database.as({ system: false, iid, uid }, work);
  const there = await within((db) =>
    db.selectFrom("report_picture").selectAll().where("institution_id", "=", iid).where("report_id", "=", id).execute(),
  );
  const known = new Map<string, StoredImage | T>(
    there.map(({ instance_id, box, sha256, width, height }) => [
      `${instance_id} ${box}`,
      { instanceId: instance_id, box, sha256, width, height },
    ]),
  );
  const missing = requests.filter(({ instanceId, key }) => !known.has(`${instanceId} ${key}`));
  const sources = new Map((await within((db) => listImageSources(db, iid, missing))).map((one) => [one.id, one]));
  for (const request of missing) {
    const source = sources.get(request.instanceId);
    const made = source && (await renderImage(iid, request, source));
    if (made) known.set(`${made.instanceId} ${made.box}`, await take(made));
  }
  return requests.flatMap(({ instanceId, key }) => known.get(`${instanceId} ${key}`) ?? []);
}

async function listImageSources(
  db: Parameters<Parameters<Database["as"]>[1]>[0],
  iid: string,
  requests: readonly ImageRequest[],
) {
  const { rows } = await sql<ImageSource>`select i.id, i.picture, c.sha256 from instance i
    join converted_file c on c.institution_id = i.institution_id and c.owner_id = i.id and c.role = 'picture' and c.place = 0
    where i.institution_id = ${iid} and i.id = any(${requests.map(({ instanceId }) => instanceId)}::uuid[])
      and i.picture is not null`.execute(db);
  return rows;
}

async function renderImage(
  iid: string,
  request: ImageRequest,
  { picture: image, sha256 }: ImageSource,
): Promise<UnstoredImage | null> {
  if ((await files().bytes("converted", iid, sha256)) === null) return null;
  const cut = await files().local("converted", iid, sha256, (path) =>
    cropImage({ path, picture: image, box: request.box, turns: request.turns, fit: fitSize(request, image) }),
  );
  return cut && { instanceId: request.instanceId, box: request.key, ...cut };
}
