import { z } from "zod";
import { institutionTypes } from "@arcada/contract/institution/institution-types";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();

/** The manifest of an archive. It is written last and believed only if the bytes agree. */
export const manifestSchema = z.object({
  format: z.literal("arcada-institution"),
  version: z.int(),
  exportedAt: z.iso.datetime(),
  institution: z.object({
    id: z.uuid(),
    name: z.string().min(1).max(200),
    number: z.string().min(1).max(40),
    type: z.enum(institutionTypes),
  }),
  tables: z.record(
    z.string().regex(/^[a-z_]{1,60}$/),
    z.object({ rows: count, bytes: count, sha256, columns: z.array(z.string().regex(/^[a-z_0-9]{1,60}$/)) }),
  ),
  files: z.array(
    z.object({
      path: z.string().regex(/^(originals|converted)\/[0-9a-f]{64}$/),
      area: z.enum(["originals", "converted"]),
      sha256,
      bytes: count,
      /** The institutions whose stores contain it. */
      of: z.array(z.uuid()).min(1),
    }),
  ),
  lacking: z.array(z.object({ path: z.string(), why: z.enum(["missing", "damaged"]) })),
});
export type Manifest = z.output<typeof manifestSchema>;
export type ArchiveFile = Manifest["files"][number];

export const archiveFileNames = { manifest: "manifest.json", readme: "README.txt" } as const;
export const tablePath = (name: string): string => `tables/${name}.jsonl`;
