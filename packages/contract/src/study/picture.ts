import { z } from "zod";

const places = z.array(z.array(z.number()));

/** What is shown from black to white (PS3.3 C.11.2.1.2): LINEAR without a shape; "table" has shades, a byte each in base64. */
export const greyWindow = z.object({
  center: z.number(),
  width: z.number(),
  shape: z.enum(["linearExact", "sigmoid", "table"]).optional(),
  table: z.string().optional(),
});

/** What a presentation state draws over a picture, hides of it and how it lays it; image points, frames counted from 0 (none: all). */
export const stateDrawing = z.object({
  graphics: z.array(z.object({ points: places, isFilled: z.boolean(), frames: z.array(z.int()) })),
  words: z.array(z.object({ words: z.string(), at: z.array(z.number()), frames: z.array(z.int()) })),
  /** What is outside of any outline is hidden by a shade of 0 to 255. */
  shutter: z.object({ outlines: z.array(places), shade: z.number() }).nullable(),
  turns: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  mirrored: z.boolean(),
  area: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }).nullable(),
});
