import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { orderRules } from "./order.rules.ts";

/**
 * The arrangement of an archive: a folder for each kind of file; a project of exocad DentalCAD, whose file names say the
 * jaw and whose project file holds the prescription; or scans with the names that 3Shape imports, beside the prescription
 * as PDF.
 */
export const archiveLayouts = ["folders", "exocad", "threeShape"] as const;
export type ArchiveLayout = (typeof archiveLayouts)[number];

/** An archive that is packed while the browser downloads it. */
export const preparedDownload = z.object({ url: z.string(), files: z.int(), bytes: z.number() });

export const downloadCalls = {
  download: call({
    method: "POST",
    path: "/v1/order/download",
    access: caseRoles,
    summary:
      "Prepares one archive of the files of an order, or of some of them, with a manifest of their hashes; answers its short-lived address. A lab gets what it may take, without names where they are hidden.",
    audit: "order.download",
    input: z.object({
      id,
      files: z.array(id).min(1).max(orderRules.maxFiles).optional(),
      layout: z.enum(archiveLayouts).default("folders"),
    }),
    output: preparedDownload,
  }),
} as const;
