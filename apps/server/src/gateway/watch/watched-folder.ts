import path from "node:path";
import { z } from "zod";

/** The programs that write into a watched folder decide how its files belong together. */
export const watchKinds = ["IOS", "IMAGES"] as const;
export interface WatchedFolder {
  /** Absolute. */
  folder: string;
  /** IOS: cases of several meshes, perhaps with a project file. IMAGES: each file for itself. */
  kind: (typeof watchKinds)[number];
}

/** Reads `C:\Scans=IOS;D:\Photos=IMAGES`. A path may contain "=" but no ";". */
export const watchedFolders = z
  .string()
  .transform((text) =>
    text
      .split(";")
      .map((row) => row.trim())
      .filter((row) => row !== "")
      .map((row) => {
        const at = row.lastIndexOf("=");
        return {
          folder: row.slice(0, at).trim(),
          kind: row
            .slice(at + 1)
            .trim()
            .toUpperCase(),
        };
      }),
  )
  .pipe(
    z
      .array(
        z.object({
          folder: z.string().min(1, `must be FOLDER=${watchKinds.join(" or FOLDER=")}`),
          kind: z.enum(watchKinds, `must be FOLDER=${watchKinds.join(" or FOLDER=")}`),
        }),
      )
      .min(1, "names no folder")
      .max(20, "names more than 20 folders"),
  )
  .transform((rows): WatchedFolder[] => rows.map(({ folder, kind }) => ({ folder: path.resolve(folder), kind })))
  .refine((rows) => new Set(rows.map(({ folder }) => folder)).size === rows.length, "names one folder twice");
