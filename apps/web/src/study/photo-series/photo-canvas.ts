/** The longer side in pixels: what a phone's camera delivers for a face, and enough for a print of 30 cm. */
const maxSide = 3200;
const quality = 0.92;

/** A change of a photograph by the person who took it. */
export type PhotoChange = "flip" | "turn";

/** Takes the current picture of the camera. The file has only pixels: no place, no device, no time. */
export const capturePhoto = (video: HTMLVideoElement, isMirrored: boolean): Promise<Blob> =>
  draw(video, video.videoWidth, video.videoHeight, isMirrored ? ["flip"] : []);

/**
 * Reads a photograph that the phone's camera application took, upright, and writes its pixels anew: the place where it
 * was taken, which phones write into the file, does not leave the phone.
 */
export async function readPhoto(file: File, isMirrored: boolean): Promise<Blob> {
  return changeAll(file, isMirrored ? ["flip"] : []);
}

/** Mirrors a photograph, or turns it by 90° to the right. */
export const changePhoto = (photo: Blob, change: PhotoChange): Promise<Blob> => changeAll(photo, [change]);

async function changeAll(photo: Blob, changes: readonly PhotoChange[]): Promise<Blob> {
  const image = await createImageBitmap(photo, { imageOrientation: "from-image" });
  try {
    return await draw(image, image.width, image.height, changes);
  } finally {
    image.close();
  }
}

async function draw(
  source: CanvasImageSource,
  width: number,
  height: number,
  changes: readonly PhotoChange[],
): Promise<Blob> {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const [shownWidth, shownHeight] = [Math.round(width * scale), Math.round(height * scale)];
  const isTurned = changes.includes("turn");
  const canvas = document.createElement("canvas");
  canvas.width = isTurned ? shownHeight : shownWidth;
  canvas.height = isTurned ? shownWidth : shownHeight;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the photograph could not be drawn");
  context.translate(canvas.width / 2, canvas.height / 2);
  if (isTurned) context.rotate(Math.PI / 2);
  if (changes.includes("flip")) context.scale(-1, 1);
  context.drawImage(source, -shownWidth / 2, -shownHeight / 2, shownWidth, shownHeight);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the photograph could not be written"))),
      "image/jpeg",
      quality,
    ),
  );
}
