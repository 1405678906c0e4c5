import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import { uploadFiles } from "../upload/upload-manager.ts";
import type { Batch } from "../upload/upload-batches.ts";
import type { TakenPhotos } from "./use-taken-photos.ts";

/** Sends the photographs as one upload of the patient, each with its view. The upload goes on when the page is left. */
export function savePhotoSeries(
  request: Pick<Batch, "owner" | "patient">,
  photos: TakenPhotos,
  nameOf: (view: PhotoView) => string,
): void {
  const taken = Object.entries(photos) as [PhotoView, { blob: Blob }][];
  const files = taken.map(([view, { blob }]) => new File([blob], `${nameOf(view)}.jpg`, { type: "image/jpeg" }));
  const viewByName = Object.fromEntries(taken.map(([view], at) => [files[at]!.name, view]));
  uploadFiles({ ...request, kind: "photo", viewByName }, files);
}
