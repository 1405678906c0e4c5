import { buffer } from "node:stream/consumers";
import type { Database } from "../platform/database/database.ts";
import type { PdfPicture } from "../platform/pdf/pdf.ts";
import { files } from "../platform/runtime/services.ts";
import type { Around } from "./report.paper.ts";
import { pictureKey } from "./report.paper.ts";
import type { LoosePicture, Picture } from "./report.pictures.ts";

/** Collects what a paper shows besides words: the institution's logos, and images from the store. */
export async function aroundOf(
  database: Database,
  { iid, uid }: { iid: string; uid: string },
  said: Pick<Around, "state" | "sha256" | "ended" | "nextNumber">,
  pictures: readonly (Picture | LoosePicture)[],
): Promise<Around> {
  const house = await database.as({ system: false, iid, uid }, (db) =>
    db.selectFrom("institution").select(["logo_cover", "logo_inside"]).where("id", "=", iid).executeTakeFirstOrThrow(),
  );
  const shown = new Map<string, PdfPicture>();
  for (const picture of pictures) {
    const bytes = "jpeg" in picture ? picture.jpeg : await bytesOf(iid, picture.sha256);
    const { instanceId, box, width, height } = picture;
    if (bytes) shown.set(pictureKey(instanceId, box), { bytes, width, height });
  }
  return {
    ...said,
    pictures: shown,
    logos: { cover: await logoOf(iid, house.logo_cover), inside: await logoOf(iid, house.logo_inside) },
  };
}

async function bytesOf(iid: string, sha256: string): Promise<Uint8Array | null> {
  if ((await files().bytes("converted", iid, sha256)) === null) return null;
  return new Uint8Array(await buffer(await files().read("converted", iid, sha256)));
}

/** Logos are stored as PNG: the size is in bytes 16 to 24 (ISO 15948, 11.2.2). */
async function logoOf(iid: string, sha256: string | null): Promise<PdfPicture | null> {
  const bytes = sha256 ? await bytesOf(iid, sha256) : null;
  if (!bytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { bytes, width: view.getUint32(16), height: view.getUint32(20) };
}
