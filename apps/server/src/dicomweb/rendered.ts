import type { Window } from "@arcada/imaging/picture/window";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { chosen, rangesOf } from "./accept.ts";
import type { Look } from "./dicom-tasks.ts";
import { unchanged, type Asked } from "./request.ts";
import { oneAt } from "./retrieve.ts";
import { openedBy } from "./threads.ts";

const thumbnailSize = { width: 256, height: 256 } as const;
const sideMost = 8192;

/**
 * Renders an image for clients that cannot read DICOM (PS3.18 10.4.1.1.3); for a study or a series, its first image.
 */
export async function rendered(asked: Asked, what: { frame?: string; thumbnail: boolean }) {
  const { reply, query, iid } = asked;
  const type = chosen(rangesOf(asked.accept), ["image/jpeg", "image/png"]) ?? refuse("notAcceptable");
  const look: Look = {
    format: type === "image/png" ? "png" : "jpeg",
    quality: qualityOf(query.quality),
    window: windowOf(query.window),
    size: viewportOf(query.viewport) ?? (what.thumbnail ? thumbnailSize : null),
  };
  const one = await oneAt(asked);
  const frame = Number(what.frame ?? 1);
  if (!Number.isInteger(frame) || frame < 1 || frame > one.frames) return refuse("notFound");
  if (unchanged(asked, [one.sha256, String(frame), JSON.stringify(look)])) return reply.code(304).send();
  const { bytes } = await files().local("originals", iid, one.sha256, (path) =>
    openedBy({ do: "picture", path, frame: frame - 1, ...look }, one.bytes, iid),
  );
  return reply.type(type).send(Buffer.from(bytes));
}

const textOf = (raw: unknown): string => (typeof raw === "string" ? raw : refuse("badInput"));
const numbers = (raw: string): number[] =>
  raw.split(",").map((text) => (text.trim() === "" ? Number.NaN : Number(text)));

function qualityOf(raw: unknown): number {
  if (raw === undefined) return 90;
  const quality = Number(raw);
  return Number.isInteger(quality) && quality >= 1 && quality <= 100
    ? quality
    : refuse("badInput", { quality: "1–100" });
}

/** PS3.18 8.3.5.1.4: centre, width, function. */
function windowOf(raw: unknown): Look["window"] {
  if (raw === undefined) return null;
  const [center, width, shape = "linear"] = textOf(raw).split(",");
  const window = { center: Number(center), width: Number(width) };
  const named = windowShapes[shape.toLowerCase()];
  const least = named?.shape ? 1e-9 : 1;
  const fits = Number.isFinite(window.center) && window.width >= least && window.width <= 1e6;
  return named && fits ? { ...window, ...named } : refuse("badInput", { window: "center,width,linear" });
}

const windowShapes: Partial<Record<string, Pick<Window, "shape">>> = {
  linear: {},
  "linear-exact": { shape: "linearExact" },
  sigmoid: { shape: "sigmoid" },
};

/**
 * PS3.18 8.3.5.1.3: width and height of the box that the image must fit; cut-outs of the image are not supported here.
 */
function viewportOf(raw: unknown): Look["size"] {
  if (raw === undefined) return null;
  const [width = 0, height = 0, ...part] = numbers(textOf(raw));
  const fits = [width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= sideMost);
  return fits && part.length === 0 ? { width, height } : refuse("badInput", { viewport: "width,height" });
}
