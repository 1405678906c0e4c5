import path from "node:path";
import { z } from "zod";

const folder = z.string().transform((given) => path.resolve(given));
/** GDT names programs by up to eight letters; in names of files the first four count. */
const programName = z.string().regex(/^[A-Za-z0-9_]{4,8}$/, "must be 4 to 8 letters or digits");

/** The settings for practice programs: they open patients, and get the results back. */
export const practiceSettings = {
  /** The folder into which the practice program writes files of GDT. */
  GATEWAY_GDT_FOLDER: folder.optional(),
  /** The folder from which it reads results; by default the same. */
  GATEWAY_GDT_OUT: folder.optional(),
  /** The name under which the practice program knows Arcada. */
  GATEWAY_GDT_NAME: programName.default("ARCADA"),
  /** The program that opens addresses; by default the browser of the machine. */
  GATEWAY_BROWSER: z.string().optional(),
};
