import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { holdOutOneIn, type ImageLabels } from "@arcada/contract/analysis/engine-trial";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { readStoredValues } from "@arcada/imaging/image/stored-grey";
import type { OpenArchive } from "../../platform/http/zip-archive-routes.ts";
import type { Database } from "../../platform/database/database.ts";
import { keyedHash } from "../../platform/runtime/ids-and-secrets.ts";
import { files, secret } from "../../platform/runtime/services.ts";
import { readInstitutionZone } from "../../domain/institution-time-zone.ts";
import type { ZipEntry } from "../../platform/storage/zip-writer.ts";
import { listTrainingImages, type TrainingImage } from "./training.store.ts";

/**
 * Exports images and the findings that dentists have confirmed on them, for training engines: each image as a 16-bit
 * PNG with a JSON file of boxes and codes. Images that are held back from training, so that engines can be tested on
 * them, are in a separate folder. Patients have pseudonyms of this institution, and nothing else identifies them.
 */
export const openTrainingArchive =
  (database: Database): OpenArchive =>
  async (iid, _, now) => {
    const { images, zone } = await database.asSystem(async (db) => ({
      images: await listTrainingImages(db, iid),
      zone: await readInstitutionZone(db, iid),
    }));
    return { name: `training-${localDayIn(zone, now)}.zip`, entries: generateEntries(iid, images, now), known: null };
  };

async function* generateEntries(iid: string, images: readonly TrainingImage[], at: Date): AsyncGenerator<ZipEntry> {
  const leftOut: string[] = [];
  for (const image of images) {
    const patient = pseudonym("P", iid, image.patientId);
    const heldBack = isHeldBack(patient);
    const name = `${heldBack ? "trial" : "training"}/${patient}/${pseudonym("I", iid, image.instanceId)}`;
    const png = await encodePng(iid, image).catch(() => null);
    if (!png) {
      leftOut.push(name);
      continue;
    }
    yield { path: `${name}.png`, at, bytes: png.length, open: () => [png] };
    const labels = Buffer.from(JSON.stringify(buildLabels(image, heldBack), null, 2));
    yield { path: `${name}.json`, at, bytes: labels.length, open: () => [labels] };
  }
  const manifest = Buffer.from(JSON.stringify({ api: 1, images: images.length - leftOut.length, leftOut }, null, 2));
  yield { path: "manifest.json", at, bytes: manifest.length, open: () => [manifest] };
}

const pseudonym = (letter: string, iid: string, id: string): string =>
  `${letter}-${keyedHash(secret(), "training", iid, id).slice(0, 12)}`;

/** A patient who was once held back remains so for ever: those who train get only the folder of the others. */
const isHeldBack = (patient: string): boolean => Number.parseInt(patient.slice(2, 10), 16) % holdOutOneIn === 0;

/** Returns the content of the JSON file of an image. Boxes are in the image's own pixels. */
const buildLabels = (
  { kind, picture: image, instanceId, chart, boxes }: TrainingImage,
  heldBack: boolean,
): ImageLabels => ({
  kind,
  heldBack,
  columns: image.columns,
  rows: image.rows,
  spacing: image.spacing && { row: image.spacing.row, column: image.spacing.column },
  teeth: chart.teeth.map(({ fdi, presence, crown, findings }) => {
    const seen = boxes.find((box) => box.fdi === fdi);
    return {
      fdi,
      presence,
      crown,
      box: toBox(seen?.geometry ?? null),
      boxBy: seen?.by ?? null,
      findings: findings
        .filter(({ status }) => status === "accepted" || status === "added")
        .map(({ code, surfaces, severity, evidence }) => ({
          code,
          surfaces,
          severity,
          box: evidence?.instanceId === instanceId ? toBox(evidence.box) : null,
        })),
    };
  }),
});
type Box = TrainingImage["boxes"][number]["geometry"];
const toBox = (box: Box | null) => box && { left: box.left, top: box.top, right: box.right, bottom: box.bottom };

/**
 * Returns a PNG in which dense matter is bright, from the lowest to the highest value of the image; null if the derived
 * files were removed, and for an image that is no radiograph, whatever kind was declared.
 */
async function encodePng(iid: string, { content, picture: image }: TrainingImage): Promise<Buffer | null> {
  if (content === null) return null;
  const stored = await buffer(await files().read("converted", iid, content));
  const { default: sharp } = await loadImageLibrary();
  if (image.format === "image")
    return (await isColourImage(stored))
      ? null
      : sharp(stored).rotate().toColourspace("grey16").png({ compressionLevel: 6 }).toBuffer();
  const values = readStoredValues(await promisify(gunzip)(stored), image);
  // A loop by index: `from` with a function would block the event loop for a third of a second with a radiograph of
  // twenty million pixels.
  const grey = new Uint16Array(values.length);
  for (let at = 0; at < grey.length; at++)
    grey[at] = image.inverted ? image.max - values[at]! : values[at]! - image.min;
  return sharp(grey, { raw: { width: image.columns, height: image.rows, channels: 1 } })
    .toColourspace("grey16")
    .png({ compressionLevel: 6 })
    .toBuffer();
}

// Elsewhere the library is loaded in workers only: it stays out of this process until somebody exports.
const loadImageLibrary = () => import("sharp");

/** Radiographs have no colours; a photograph, which may show a face, has at least those of skin. */
async function isColourImage(stored: Buffer): Promise<boolean> {
  const { default: sharp } = await loadImageLibrary();
  const { data, info } = await sharp(stored)
    .resize(96, 96, { fit: "inside" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels < 3) return false;
  let coloured = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > minColourDifference) coloured++;
  }
  return coloured > (maxColouredShare * data.length) / info.channels;
}
// A tinted radiograph, colour noise of a JPEG and red writing are allowed: it is still a radiograph.
const minColourDifference = 24;
const maxColouredShare = 0.05;
