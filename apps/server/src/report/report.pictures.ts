import { sql } from "kysely";
import { reportRules } from "@arcada/contract/report/report.shape";
import type { ReportBox, ReportContent } from "@arcada/contract/report/report.shape";
import type { Database, Db } from "../platform/database/database.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { files, secret } from "../platform/runtime/services.ts";
import type { PictureInfo } from "../tables/study.ts";
import { cutPicture } from "./cut-picture.ts";

interface Cut {
  instanceId: string;
  box: string;
  width: number;
  height: number;
}
/** An image that is stored with its report. */
export type Picture = Cut & { sha256: string };
/** An image that is not stored. */
export type LoosePicture = Cut & { jpeg: Uint8Array };
interface Wish {
  instanceId: string;
  /** For a cut-out, its box; for a radiograph under its tracing, its rotation. */
  key: string;
  box: ReportBox | null;
  turns: number;
}
interface Source {
  id: string;
  picture: PictureInfo;
  sha256: string;
}

/** Returns a box as a key; empty: the whole image. */
export const boxKey = (box: ReportBox | null): string =>
  box ? [box.left, box.top, box.right, box.bottom].map((side) => Math.round(side)).join(",") : "";
export const uprightKey = (turns: number): string => `upright ${turns}`;
/** The key of an image in the image list. */
export const imageKey = ({ turns = 0 }: { turns?: number | undefined }): string => (turns ? `turned ${turns}` : "");
const wishesOf = ({ images, toothPictures, ceph }: ReportContent): Wish[] => [
  ...images.map((image) => ({
    instanceId: image.instanceId,
    key: imageKey(image),
    box: null,
    turns: image.turns ?? 0,
  })),
  ...toothPictures.map(({ instanceId, box }) => ({ instanceId, key: boxKey(box), box, turns: 0 })),
  ...(ceph?.drawing
    ? [
        {
          instanceId: ceph.instanceId,
          key: uprightKey(ceph.drawing.turns),
          box: null,
          turns: ceph.drawing.turns,
        },
      ]
    : []),
];

// Converts points on paper to pixels; a CSS pixel is three quarters of a point.
const pixels = (points: number): number => Math.round((points * 4 * reportRules.pictureScale) / 3);
/** Sizes of images on paper: a panorama takes the whole width, a tooth a quarter. */
export const paperSizes = {
  wide: 499,
  half: 243,
  wideHeight: 260,
  halfHeight: 190,
  tooth: 115,
  toothHeight: 110,
  film: { width: 499, height: 300 },
} as const;
export const isWide = ({ width, height }: { width: number; height: number }): boolean => width / height >= 1.6;

const fitOf = ({ box, key, turns }: Wish, { columns, rows }: PictureInfo) => {
  if (key.startsWith("upright"))
    return { width: pixels(paperSizes.film.width), height: pixels(paperSizes.film.height) };
  if (box) return { width: pixels(paperSizes.tooth), height: pixels(paperSizes.toothHeight) };
  return isWide(turns % 2 === 0 ? { width: columns, height: rows } : { width: rows, height: columns })
    ? { width: pixels(paperSizes.wide), height: pixels(paperSizes.wideHeight) }
    : { width: pixels(paperSizes.half), height: pixels(paperSizes.halfHeight) };
};

interface Asked {
  iid: string;
  uid: string;
  id: string;
}

/**
 * Returns the images of a report; missing ones are cut and stored with it. Images that cannot be shown any more are
 * left out.
 */
export const keepPictures = (database: Database, asked: Asked, content: ReportContent): Promise<Picture[]> =>
  eachPicture(database, asked, content, async ({ jpeg, ...cut }) => {
    const { iid, uid, id } = asked;
    const { sha256 } = await files().put("converted", iid, jpeg);
    await database.as({ system: false, iid, uid }, (db) =>
      sql`insert into report_picture (institution_id, report_id, instance_id, box, sha256, width, height)
        values (${iid}, ${id}, ${cut.instanceId}, ${cut.box}, ${sha256}, ${cut.width}, ${cut.height})
        on conflict do nothing`.execute(db),
    );
    return { ...cut, sha256 };
  });

/** Returns the address of an image that is stored with a report. */
export const pictureUrl = (iid: string, sha256: string): string =>
  fileUrl(secret(), { area: "converted", iid, sha256, name: "picture.jpg", type: "image/jpeg" });

/** Returns the first image of a tooth with a problem; null until the report's images have been cut. */
export async function toothDetailUrl(
  db: Db,
  { iid, id }: Pick<Asked, "iid" | "id">,
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
  return kept ? pictureUrl(iid, kept.sha256) : null;
}

/** The same for who only reads: nothing is kept. */
export const seePictures = (
  database: Database,
  asked: Asked,
  content: ReportContent,
): Promise<(Picture | LoosePicture)[]> => eachPicture(database, asked, content, (cut) => Promise.resolve(cut));

async function eachPicture<T extends Cut>(
  database: Database,
  { iid, uid, id }: Asked,
  content: ReportContent,
  take: (cut: LoosePicture) => Promise<T>,
): Promise<(Picture | T)[]> {
  const wishes = wishesOf(content);
  if (wishes.length === 0) return [];
  const within = <R>(work: Parameters<typeof database.as<R>>[1]) => database.as({ system: false, iid, uid }, work);
  const there = await within((db) =>
    db.selectFrom("report_picture").selectAll().where("institution_id", "=", iid).where("report_id", "=", id).execute(),
  );
  const known = new Map<string, Picture | T>(
    there.map(({ instance_id, box, sha256, width, height }) => [
      `${instance_id} ${box}`,
      { instanceId: instance_id, box, sha256, width, height },
    ]),
  );
  const lacking = wishes.filter(({ instanceId, key }) => !known.has(`${instanceId} ${key}`));
  const sources = new Map((await within((db) => sourcesOf(db, iid, lacking))).map((one) => [one.id, one]));
  for (const wish of lacking) {
    const source = sources.get(wish.instanceId);
    const made = source && (await madeOf(iid, wish, source));
    if (made) known.set(`${made.instanceId} ${made.box}`, await take(made));
  }
  return wishes.flatMap(({ instanceId, key }) => known.get(`${instanceId} ${key}`) ?? []);
}

async function sourcesOf(db: Parameters<Parameters<Database["as"]>[1]>[0], iid: string, wishes: readonly Wish[]) {
  const { rows } = await sql<Source>`select i.id, i.picture, c.sha256 from instance i
    join converted_file c on c.institution_id = i.institution_id and c.owner_id = i.id and c.role = 'picture' and c.place = 0
    where i.institution_id = ${iid} and i.id = any(${wishes.map(({ instanceId }) => instanceId)}::uuid[])
      and i.picture is not null`.execute(db);
  return rows;
}

async function madeOf(iid: string, wish: Wish, { picture, sha256 }: Source): Promise<LoosePicture | null> {
  if ((await files().bytes("converted", iid, sha256)) === null) return null;
  const cut = await files().local("converted", iid, sha256, (path) =>
    cutPicture({ path, picture, box: wish.box, turns: wish.turns, fit: fitOf(wish, picture) }),
  );
  return cut && { instanceId: wish.instanceId, box: wish.key, ...cut };
}
