import type { z } from "zod";
import type { orderFile } from "@arcada/contract/order/order.calls";
import { cleanedKinds, mayTakeOriginal, rightsOf } from "@arcada/contract/order/order.rights";
import { fileUrl } from "../platform/storage/file-url.ts";
import { secret } from "../platform/runtime/services.ts";
import type { NamedFile, NamedOrder } from "./order.read.ts";

type FileAnswer = z.output<typeof orderFile>;

/** The files of an order that its reader may see, with addresses of those that may be taken. */
export function filesView(
  order: NamedOrder,
  files: readonly NamedFile[],
  mine: "sender" | "receiver",
  now: Date,
): FileAnswer[] {
  const places = new Map<string, number>();
  return files
    .filter((file) => isSeen(order, file, mine))
    .map((file) => {
      const place = (places.get(file.role) ?? 0) + 1;
      places.set(file.role, place);
      const name = hidesNames(order, file, mine) ? plainName(file, place) : file.name;
      const mayHave = mayTake(order, file, mine, now);
      return {
        id: file.id,
        role: file.role,
        name,
        bytes: file.bytes,
        sha256: file.sha256,
        studyId: file.study_id,
        studyKind: file.study_kind,
        revisionId: file.revision_id,
        messageId: file.message_id,
        url: mayHave ? addressOf(file, name, hidesNames(order, file, mine) ? order.id : null) : null,
        glb: mayHave ? glbOf(file) : null,
        thumbnailUrl: file.thumbnail ? pictureUrl(file.owner_id, file.thumbnail, now) : smallPicture(file, now),
        pictureUrl: mayHave && file.picture ? pictureUrl(file.owner_id, file.picture, now) : null,
      };
    });
}

export const isSeen = (order: NamedOrder, file: NamedFile, mine: "sender" | "receiver"): boolean =>
  (mine === "sender" || file.side === "receiver" || rightsOf(order).reads === "all") && isPart(file);
/** Files of a proposal belong to the order once the proposal is accepted. */
export const isPart = (file: NamedFile): boolean => file.proposal_id === null || file.proposal_state === "accepted";

export const pictureUrl = (iid: string, sha256: string, now: Date): string =>
  fileUrl(secret(), { area: "converted", iid, sha256, name: "picture", type: "image/webp" }, now.getTime());
export const smallPicture = (file: NamedFile, now: Date): string | null =>
  file.small_picture ? pictureUrl(file.owner_id, file.small_picture, now) : null;

export const hidesNames = (order: NamedOrder, file: NamedFile, mine: "sender" | "receiver"): boolean =>
  (mine === "receiver" || isLent(order, file)) && file.side === "sender" && order.name_masked;
/**
 * True for a file in a child order that belongs to another institution: by passing the order on, an institution learns
 * no more of the patient than before, and may take no more.
 */
const isLent = (order: NamedOrder, file: NamedFile): boolean =>
  order.parent_id !== null && file.owner_id !== order.institution_id;
/** File names often contain the patient's name, so the extension too is derived from the content. */
export const plainName = (file: NamedFile, place: number): string =>
  `${file.role}-${place}${file.content === "unknown" || isVolume(file) ? "" : `.${endings[file.content] ?? file.content}`}`;
const endings: Partial<Record<string, string>> = { dicom: "dcm", jpeg: "jpg" };

/** A volume has no address of its own: it is one study of many files. */
const mayTake = (order: NamedOrder, file: NamedFile, mine: "sender" | "receiver", now: Date): boolean =>
  !isVolume(file) && mayPack(order, file, mine, now);
/** Returns true if the reader may have the original bytes; those of a volume only in an archive. */
export function mayPack(order: NamedOrder, file: NamedFile, mine: "sender" | "receiver", now: Date): boolean {
  const isLentOut = mine === "sender" && isLent(order, file);
  if ((mine === "sender" && !isLentOut) || file.side === "receiver") return true;
  // A document, an archive or an unknown file cannot be de-identified.
  if (order.name_masked && !cleanedKinds.has(file.content)) return false;
  const { state, holder, completed_at: completedAt } = order;
  const giver = isLentOut ? order.above : { state, holder, completedAt };
  return giver !== null && mayTakeOriginal(giver, { dicom: file.content === "dicom" }, now);
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
/** `clean`: the order for whose receiver names are taken out. */
const addressOf = (file: NamedFile, name: string, clean: string | null): string =>
  fileUrl(secret(), {
    area: "originals",
    iid: file.owner_id,
    sha256: file.sha256,
    name,
    type: mediaTypes[file.content] ?? "application/octet-stream",
    download: true,
    ...(clean && cleanedKinds.has(file.content) && { clean }),
  });

export const glbOf = ({ owner_id: iid, glb: sha256, glb_error: error }: NamedFile): FileAnswer["glb"] =>
  sha256 !== null && error !== null
    ? {
        url: fileUrl(secret(), { area: "converted", iid, sha256, name: "model.glb", type: "application/octet-stream" }),
        error,
      }
    : null;
