import type { z } from "zod";
import type { orderFile } from "@arcada/contract/order/order.calls";
import { cleanableKinds, mayDownloadOriginal, findRights } from "@arcada/contract/order/receiver-rights";
import { createFileUrl } from "../../platform/storage/file-url.ts";
import { secret } from "../../platform/runtime/services.ts";
import type { NamedFile, NamedOrder } from "../core/order.read.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

type FileAnswer = z.output<typeof orderFile>;

/** The files of an order that its reader may see, with addresses of those that may be taken. */
export function filesView(
  order: NamedOrder,
  files: readonly NamedFile[],
  ownSide: "sender" | "receiver",
  now: Date,
): FileAnswer[] {
  const places = new Map<string, number>();
  return files
    .filter((file) => isVisible(order, file, ownSide))
    .map((file) => {
      const place = (places.get(file.role) ?? 0) + 1;
      places.set(file.role, place);
      const name = hidesNames(order, file, ownSide) ? neutralName(file, place) : file.name;
      const isDownloadable = mayDownloadDirectly(order, file, ownSide, now);
      return {
        ...pickColumns(file, "id", "role", "bytes", "sha256", "study_id", "study_kind", "revision_id", "message_id"),
        name,
        url: isDownloadable ? downloadUrl(file, name, hidesNames(order, file, ownSide) ? order.id : null) : null,
        glb: isDownloadable ? streamingCopyUrl(file) : null,
        thumbnailUrl: file.thumbnail ? imageUrl(file.owner_id, file.thumbnail, now) : smallImageUrl(file, now),
        pictureUrl: isDownloadable && file.picture ? imageUrl(file.owner_id, file.picture, now) : null,
      };
    });
}

export const isVisible = (order: NamedOrder, file: NamedFile, ownSide: "sender" | "receiver"): boolean =>
  (ownSide === "sender" || file.side === "receiver" || findRights(order).reads === "all") && isPartOfOrder(file);
/** Files of a proposal belong to the order once the proposal is accepted. */
export const isPartOfOrder = (file: NamedFile): boolean =>
  file.proposal_id === null || file.proposal_state === "accepted";

export const imageUrl = (iid: string, sha256: string, now: Date): string =>
  createFileUrl(secret(), { area: "converted", iid, sha256, name: "picture", type: "image/webp" }, now.getTime());
export const smallImageUrl = (file: NamedFile, now: Date): string | null =>
  file.small_picture ? imageUrl(file.owner_id, file.small_picture, now) : null;

export const hidesNames = (order: NamedOrder, file: NamedFile, ownSide: "sender" | "receiver"): boolean =>
  (ownSide === "receiver" || isForeignFile(order, file)) && file.side === "sender" && order.name_masked;
/**
 * True for a file in a child order that belongs to another institution: by passing the order on, an institution learns
 * no more of the patient than before, and may take no more.
 */
const isForeignFile = (order: NamedOrder, file: NamedFile): boolean =>
  order.parent_id !== null && file.owner_id !== order.institution_id;
/** File names often contain the patient's name, so the extension too is derived from the content. */
export const neutralName = (file: NamedFile, place: number): string =>
  `${file.role}-${place}${file.content === "unknown" || isVolume(file) ? "" : `.${extensions[file.content] ?? file.content}`}`;
const extensions: Partial<Record<string, string>> = { dicom: "dcm", jpeg: "jpg" };

/** A volume has no single address: it is one study of many files. */
const mayDownloadDirectly = (order: NamedOrder, file: NamedFile, ownSide: "sender" | "receiver", now: Date): boolean =>
  !isVolume(file) && mayDownload(order, file, ownSide, now);
/** Returns true if the reader may have the original bytes; those of a volume only in an archive. */
export function mayDownload(order: NamedOrder, file: NamedFile, ownSide: "sender" | "receiver", now: Date): boolean {
  const isForeign = ownSide === "sender" && isForeignFile(order, file);
  if ((ownSide === "sender" && !isForeign) || file.side === "receiver") return true;
  // A document, an archive or an unknown file cannot be de-identified.
  if (order.name_masked && !cleanableKinds.has(file.content)) return false;
  const { state, holder, completed_at: completedAt } = order;
  const sourceOrder = isForeign ? order.above : { state, holder, completedAt };
  return sourceOrder !== null && mayDownloadOriginal(sourceOrder, { dicom: file.content === "dicom" }, now);
}
export const isVolume = (file: NamedFile): boolean => file.study_id === file.id;
const mediaTypes: Partial<Record<string, string>> = {
  jpeg: "image/jpeg",
  png: "image/png",
  pdf: "application/pdf",
  dicom: "application/dicom",
  stl: "model/stl",
  zip: "application/zip",
};
/** Returns the address of the original bytes; `deidentifyFor` is the order for whose receiver names are removed. */
const downloadUrl = (file: NamedFile, name: string, deidentifyFor: string | null): string =>
  createFileUrl(secret(), {
    area: "originals",
    iid: file.owner_id,
    sha256: file.sha256,
    name,
    type: mediaTypes[file.content] ?? "application/octet-stream",
    download: true,
    ...(deidentifyFor && cleanableKinds.has(file.content) && { clean: deidentifyFor }),
  });

export function streamingCopyUrl(file: NamedFile): FileAnswer["glb"] {
  const copy = surfaceCopyUrl(file, file.glb, file.glb_error);
  return copy && { ...copy, coarse: surfaceCopyUrl(file, file.coarse, file.coarse_error) };
}

const surfaceCopyUrl = ({ owner_id: iid }: NamedFile, sha256: string | null, error: number | null) =>
  sha256 !== null && error !== null
    ? {
        url: createFileUrl(secret(), {
          area: "converted",
          iid,
          sha256,
          name: "model.glb",
          type: "application/octet-stream",
        }),
        error,
      }
    : null;
