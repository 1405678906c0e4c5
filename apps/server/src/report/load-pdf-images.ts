import { buffer } from "node:stream/consumers";
import type { Database } from "../platform/database/database.ts";
import type { PdfBitmap } from "../platform/pdf/pdf-blocks.ts";
import { files } from "../platform/runtime/services.ts";
import type { DocumentAssets } from "./report.document-frame.ts";
import { imageAssetKey } from "./report.document-frame.ts";
import type { UnstoredImage, StoredImage } from "./report.images.ts";

/** Collects the content of a document besides text: the institution's logos, and images from the store. */
export async function loadDocumentAssets(
  database: Database,
  { iid, uid }: { iid: string; uid: string },
  status: Pick<DocumentAssets, "state" | "sha256" | "ended" | "nextNumber">,
  images: readonly (StoredImage | UnstoredImage)[],
): Promise<DocumentAssets> {
  const institution = await database.as({ system: false, iid, uid }, (db) =>
    db.selectFrom("institution").select(["logo_cover", "logo_inside"]).where("id", "=", iid).executeTakeFirstOrThrow(),
  );
  const shown = new Map<string, PdfBitmap>();
  for (const image of images) {
    const bytes = "jpeg" in image ? image.jpeg : await readDerivedFile(iid, image.sha256);
    const { instanceId, box, width, height } = image;
    if (bytes) shown.set(imageAssetKey(instanceId, box), { bytes, width, height });
  }
  return {
    ...status,
    pictures: shown,
    logos: { cover: await loadLogo(iid, institution.logo_cover), inside: await loadLogo(iid, institution.logo_inside) },
  };
}

async function readDerivedFile(iid: string, sha256: string): Promise<Uint8Array | null> {
  if ((await files().bytes("converted", iid, sha256)) === null) return null;
  return new Uint8Array(await buffer(await files().read("converted", iid, sha256)));
}

/** Logos are stored as PNG: the size is in bytes 16 to 24 (ISO 15948, 11.2.2). */
async function loadLogo(iid: string, sha256: string | null): Promise<PdfBitmap | null> {
  const bytes = sha256 ? await readDerivedFile(iid, sha256) : null;
  if (!bytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { bytes, width: view.getUint32(16), height: view.getUint32(20) };
}
