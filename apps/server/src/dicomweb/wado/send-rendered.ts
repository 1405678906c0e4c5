import type { VoiWindow } from "@arcada/imaging/image/voi-window";
import { refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { chooseType, parseAccept } from "../accept-header.ts";
import type { RenderOptions } from "../worker/dicom-task-types.ts";
import { isUnchanged, type DicomwebContext } from "../dicomweb-context.ts";
import { requireInstance } from "./send-instances.ts";
import { runDicomTask } from "../worker/run-dicom-task.ts";

const thumbnailSize = { width: 256, height: 256 } as const;
const maxSide = 8192;

/**
 * Renders an image for clients that cannot read DICOM (PS3.18 10.4.1.1.3); for a study or a series, its first image.
 */
export async function sendRendered(context: DicomwebContext, what: { frame?: string; thumbnail: boolean }) {
  const { reply, query, iid } = context;
  const type = chooseType(parseAccept(context.accept), ["image/jpeg", "image/png"]) ?? refuse("notAcceptable");
  const options: RenderOptions = {
    format: type === "image/png" ? "png" : "jpeg",
    quality: parseQuality(query.quality),
    window: parseWindow(query.window),
    size: parseViewport(query.viewport) ?? (what.thumbnail ? thumbnailSize : null),
  };
  const one = await requireInstance(context);
  const frame = Number(what.frame ?? 1);
  if (!Number.isInteger(frame) || frame < 1 || frame > one.frames) return refuse("notFound");
  if (isUnchanged(context, [one.sha256, String(frame), JSON.stringify(options)])) return reply.code(304).send();
  const { bytes } = await files().local("originals", iid, one.sha256, (path) =>
    runDicomTask({ do: "picture", path, frame: frame - 1, ...options }, one.bytes, iid),
  );
  return reply.type(type).send(Buffer.from(bytes));
}

const requireText = (raw: unknown): string => (typeof raw === "string" ? raw : refuse("badInput"));
const parseNumbers = (raw: string): number[] =>
  raw.split(",").map((text) => (text.trim() === "" ? Number.NaN : Number(text)));

function parseQuality(raw: unknown): number {
  if (raw === undefined) return 90;
  const quality = Number(raw);
  return Number.isInteger(quality) && quality >= 1 && quality <= 100
    ? quality
    : refuse("badInput", { quality: "1–100" });
}

/** PS3.18 8.3.5.1.4: centre, width, function. */
function parseWindow(raw: unknown): RenderOptions["window"] {
  if (raw === undefined) return null;
  const [center, width, shape = "linear"] = requireText(raw).split(",");
  const window = { center: Number(center), width: Number(width) };
  const named = windowShapes[shape.toLowerCase()];
  const least = named?.shape ? 1e-9 : 1;
  const isValid = Number.isFinite(window.center) && window.width >= least && window.width <= 1e6;
  return named && isValid ? { ...window, ...named } : refuse("badInput", { window: "center,width,linear" });
}

const windowShapes: Partial<Record<string, Pick<VoiWindow, "shape">>> = {
  linear: {},
  "linear-exact": { shape: "linearExact" },
  sigmoid: { shape: "sigmoid" },
};

/**
 * PS3.18 8.3.5.1.3: width and height of the box that the image must fit; cut-outs of the image are not supported here.
 */
function parseViewport(raw: unknown): RenderOptions["size"] {
  if (raw === undefined) return null;
  const [width = 0, height = 0, ...part] = parseNumbers(requireText(raw));
  const isValid = [width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= maxSide);
  return isValid && part.length === 0 ? { width, height } : refuse("badInput", { viewport: "width,height" });
}
