import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import sharp from "sharp";
import { heldBackOf, type ImageLabels } from "@arcada/contract/analysis/trial";
import { dayIn } from "@arcada/contract/kernel/time-zone";
import { storedValues } from "@arcada/imaging/picture/stored";
import type { OpenArchive } from "../platform/http/archive-routes.ts";
import type { Database } from "../platform/database/database.ts";
import { keyedHash } from "../platform/runtime/ids.ts";
import { files, secret } from "../platform/runtime/services.ts";
import { zoneOfInstitution } from "../domain/institution-time-zone.ts";
import type { ZipEntry } from "../platform/storage/zip.ts";
import { trainingImages, type TrainingImage } from "./training.store.ts";

/**
 * Exports images and what dentists have confirmed on them, for training engines: each image as a 16-bit PNG, and beside
 * it a JSON file of boxes and codes. Images that are held back from training, so that engines can be tested on them,
 * are in a folder of their own. Patients have pseudonyms of this institution, and nothing else identifies them.
 */
export const trainingArchives =
  (database: Database): OpenArchive =>
  async (iid, _, now) => {
    const { images, zone } = await database.asSystem(async (db) => ({
      images: await trainingImages(db, iid),
      zone: await zoneOfInstitution(db, iid),
    }));
    return { name: `training-${dayIn(zone, now)}.zip`, entries: entriesOf(iid, images, now), whole: null };
  };

async function* entriesOf(iid: string, images: readonly TrainingImage[], at: Date): AsyncGenerator<ZipEntry> {
  const leftOut: string[] = [];
  for (const image of images) {
    const patient = pseudonym("P", iid, image.patientId);
    const heldBack = isHeldBack(patient);
    const name = `${heldBack ? "trial" : "training"}/${patient}/${pseudonym("I", iid, image.instanceId)}`;
    const png = await pngOf(iid, image).catch(() => null);
    if (!png) {
      leftOut.push(name);
      continue;
    }
    yield { path: `${name}.png`, at, bytes: png.length, open: () => [png] };
    const said = Buffer.from(JSON.stringify(labelsOf(image, heldBack), null, 2));
    yield { path: `${name}.json`, at, bytes: said.length, open: () => [said] };
  }
  const manifest = Buffer.from(JSON.stringify({ api: 1, images: images.length - leftOut.length, leftOut }, null, 2));
  yield { path: "manifest.json", at, bytes: manifest.length, open: () => [manifest] };
}

const pseudonym = (letter: string, iid: string, id: string): string =>
  `${letter}-${keyedHash(secret(), "training", iid, id).slice(0, 12)}`;

/** A patient who was once held back remains so for ever: those who train get only the folder of the others. */
const isHeldBack = (patient: string): boolean => Number.parseInt(patient.slice(2, 10), 16) % heldBackOf === 0;

/** Returns the content of the file beside an image: boxes are in the image's own pixels. */
const labelsOf = ({ kind, picture, instanceId, chart, boxes }: TrainingImage, heldBack: boolean): ImageLabels => ({
  kind,
  heldBack,
  columns: picture.columns,
  rows: picture.rows,
  spacing: picture.spacing && { row: picture.spacing.row, column: picture.spacing.column },
  teeth: chart.teeth.map(({ fdi, presence, crown, findings }) => {
    const seen = boxes.find((box) => box.fdi === fdi);
    return {
      fdi,
      presence,
      crown,
      box: boxOf(seen?.geometry ?? null),
      boxBy: seen?.by ?? null,
      findings: findings
        .filter(({ status }) => status === "accepted" || status === "added")
        .map(({ code, surfaces, severity, evidence }) => ({
          code,
          surfaces,
          severity,
          box: evidence?.instanceId === instanceId ? boxOf(evidence.box) : null,
        })),
    };
  }),
});
type Box = TrainingImage["boxes"][number]["geometry"];
const boxOf = (box: Box | null) => box && { left: box.left, top: box.top, right: box.right, bottom: box.bottom };

/**
 * Returns a PNG in which dense matter is bright, from the lowest to the highest value of the image; null if the derived
 * files were removed, and for an image that is no radiograph, whatever kind was declared.
 */
async function pngOf(iid: string, { content, picture }: TrainingImage): Promise<Buffer | null> {
  if (content === null) return null;
  const stored = await buffer(await files().read("converted", iid, content));
  if (picture.format === "image")
    return (await isColoured(stored))
      ? null
      : sharp(stored).rotate().toColourspace("grey16").png({ compressionLevel: 6 }).toBuffer();
  const values = storedValues(await promisify(gunzip)(stored), picture);
  // A loop by index: `from` with a function would block the event loop for a third of a second with a film of twenty
  // million pixels.
  const grey = new Uint16Array(values.length);
  for (let at = 0; at < grey.length; at++)
    grey[at] = picture.inverted ? picture.max - values[at]! : values[at]! - picture.min;
  return sharp(grey, { raw: { width: picture.columns, height: picture.rows, channels: 1 } })
    .toColourspace("grey16")
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** Radiographs have no colours; a photograph, which may show a face, has at least those of skin. */
async function isColoured(stored: Buffer): Promise<boolean> {
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
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > leastColour) coloured++;
  }
  return coloured > (colouredShare * data.length) / info.channels;
}
// A tint of the film, colour noise of a JPEG and red writing are allowed: it is still a radiograph.
const leastColour = 24;
const colouredShare = 0.05;
