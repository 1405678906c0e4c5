import { z } from "zod";

const pointList = z.array(z.array(z.number()));

/**
 * A grey window from black to white (PS3.3 C.11.2.1.2). Without `shape` it is LINEAR; "table" has shades, one byte
 * each, in base64.
 */
export const greyWindow = z.object({
  center: z.number(),
  width: z.number(),
  shape: z.enum(["linearExact", "sigmoid", "table"]).optional(),
  table: z.string().optional(),
});

/**
 * The drawings, the shutter and the layout of a presentation state; in image points, frames counted from 0 (none: all).
 */
export const stateDrawing = z.object({
  graphics: z.array(z.object({ points: pointList, isFilled: z.boolean(), frames: z.array(z.int()) })),
  words: z.array(z.object({ words: z.string(), at: z.array(z.number()), frames: z.array(z.int()) })),
  /** Pixels outside of any outline are hidden by a shade of 0 to 255. */
  shutter: z.object({ outlines: z.array(pointList), shade: z.number() }).nullable(),
  turns: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  mirrored: z.boolean(),
  area: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }).nullable(),
});
