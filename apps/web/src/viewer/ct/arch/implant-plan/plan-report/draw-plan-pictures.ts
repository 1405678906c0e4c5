import type { PlanPicture } from "@arcada/contract/implant/plan-report.schema";
import { createToneFunction, type VoiWindow } from "@arcada/imaging/image/voi-window";
import { patientToCurvedSurface, sampleCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { cross, dot, minus, normalize, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import { getOutwardAxis } from "@arcada/imaging/implant/implant-parts";
import {
  samplePanoramaPicture,
  samplePlanePicture,
  type PictureFrame,
  type SampledPicture,
} from "@arcada/imaging/implant/plan-pictures";
import type { VoxelGrid } from "@arcada/imaging/surface/voxel-grid";
import type { Arch } from "../../use-arch.ts";
import { isUpper, type Implant } from "../implant-plan.ts";
import { createPanoramaProjection, createPlaneProjection, type PlanProjection } from "../plan-projection.ts";
import { anatomicalPlanes } from "@arcada/imaging/view/plane-view";
import { drawPlanOnCanvas } from "./draw-plan-on-canvas.ts";

interface PictureSources {
  grid: VoxelGrid;
  window: VoiWindow;
  arch: Arch;
}

/** mm around an implant that a cut shows, and mm for each pixel. */
const cut = { width: 30, height: 36, pixel: 0.125 } as const;
const panorama = { pixel: 0.25, thickness: 12, margin: 14, least: 44 } as const;
/** Pixels of the picture for each sampled one, so that lines are fine. */
const magnification = 2;
/** mm around the arch beyond which no direction is known for a cut. */
const maxDistanceFromArch = 25;

/** Draws the panorama and two cuts of each implant, with the plan in them. Takes about a second for each implant. */
export async function drawPlanPictures(sources: PictureSources): Promise<PlanPicture[]> {
  const { arch } = sources;
  const pictures: PlanPicture[] = [];
  const surface = arch.curvedSurface ?? arch.path;
  if (surface) pictures.push({ kind: "panorama", number: null, image: await drawPanorama(sources, surface) });
  for (const [at, implant] of arch.implants.entries())
    for (const kind of ["across", "along"] as const)
      pictures.push({ kind, number: at + 1, image: await drawCut(sources, implant, kind) });
  return pictures;
}

async function drawPanorama(sources: PictureSources, surface: CurvedSurface): Promise<string> {
  const { grid, arch } = sources;
  const heights = [
    surface.level,
    ...arch.implants.flatMap(({ body }) => [dot(body.head, surface.up), dot(body.apex, surface.up)]),
    ...arch.canals.flatMap(({ points }) => points.map((point) => dot(point, surface.up))),
  ];
  const middle = (Math.max(...heights) + Math.min(...heights)) / 2;
  const half = Math.max(panorama.least, Math.max(...heights) - Math.min(...heights) + 2 * panorama.margin) / 2;
  const frame = { from: 0, to: surface.length, top: middle + half, bottom: middle - half };
  const picture = samplePanoramaPicture(grid, surface, frame, panorama.pixel, panorama.thickness);
  const scale = magnification / panorama.pixel;
  const projection = createPanoramaProjection(
    {
      name: "panorama",
      plane: anatomicalPlanes.axial,
      toViewport: (point) => {
        const { along, height } = patientToCurvedSurface(surface, point);
        return [(along - frame.from) * scale, (frame.top - height) * scale];
      },
      toPatient: () => surface.points[0] ?? [0, 0, 0],
      isIn: () => true,
    },
    surface,
    scale,
  );
  return encode(sources, picture, projection, null);
}

function drawCut(sources: PictureSources, implant: Implant, kind: "across" | "along"): Promise<string> {
  const frame = frameCut(sources.arch, implant, kind);
  const picture = samplePlanePicture(sources.grid, frame, cut.pixel);
  const scale = magnification / cut.pixel;
  const { middle, right, down, width, height } = frame;
  const projection = createPlaneProjection({
    name: "section",
    plane: { right, down, away: cross(right, down) },
    toViewport: (point) => {
      const offset = minus(point, middle);
      return [(dot(offset, right) + width / 2) * scale, (dot(offset, down) + height / 2) * scale];
    },
    toPatient: ([x, y]) => plus(middle, plus(times(right, x / scale - width / 2), times(down, y / scale - height / 2))),
    isIn: () => true,
  });
  return encode(sources, picture, projection, implant);
}

/** A plane through the implant's axis, which stands upright in it; across the arch the cheek is on the right. */
function frameCut(arch: Arch, { body, ...implant }: Implant, kind: "across" | "along"): PictureFrame {
  const axis = getOutwardAxis(body);
  const down = times(axis, isUpper({ body, ...implant }, arch.up) ? 1 : -1);
  const cheek = findCheekDirection(arch, body.head);
  const buccal = normalize(minus(cheek, times(axis, dot(cheek, axis))));
  const mesial = cross(axis, buccal);
  // As in a panorama, the patient's right is on the left.
  const along = mesial[0] < 0 ? times(mesial, -1) : mesial;
  return {
    middle: times(plus(body.head, body.apex), 0.5),
    right: kind === "across" ? buccal : along,
    down,
    width: cut.width,
    height: cut.height,
  };
}

/** Without an arch the cut is made across the patient. */
function findCheekDirection({ path }: Arch, head: Vector): Vector {
  if (!path) return [1, 0, 0];
  const { along, out } = patientToCurvedSurface(path, head);
  return Math.abs(out) > maxDistanceFromArch ? [1, 0, 0] : sampleCurvedSurface(path, along).normal;
}

/** Returns the picture with the plan in it, as the base64 of a JPEG. */
async function encode(
  { window, arch }: PictureSources,
  picture: SampledPicture,
  projection: PlanProjection,
  only: Implant | null,
): Promise<string> {
  const canvas = document.createElement("canvas");
  canvas.width = picture.columns * magnification;
  canvas.height = picture.rows * magnification;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser gives no canvas");
  const grey = await createImageBitmap(toImageData(picture, window));
  context.imageSmoothingQuality = "high";
  context.drawImage(grey, 0, 0, canvas.width, canvas.height);
  grey.close();
  drawPlanOnCanvas(context, arch, projection, only);
  const [, base64 = ""] = canvas.toDataURL("image/jpeg", 0.9).split(",");
  return base64;
}

function toImageData({ columns, rows, values }: SampledPicture, window: VoiWindow): ImageData {
  const tone = createToneFunction(window);
  const data = new Uint8ClampedArray(columns * rows * 4);
  for (const [at, value] of values.entries()) {
    const shade = Number.isNaN(value) ? 0 : tone(value);
    data.set([shade, shade, shade, 255], at * 4);
  }
  return new ImageData(data, columns, rows);
}
