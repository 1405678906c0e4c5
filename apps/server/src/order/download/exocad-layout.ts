import { createHash } from "node:crypto";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { CaseItem } from "@arcada/exchange/lab-case/lab-case";
import { writeExocadProject } from "@arcada/exchange/exocad/write-exocad-project";
import { toSafeFileName } from "../../platform/http/zip-archive-routes.ts";
import type { AccessibleFile } from "../files/file-access.ts";
import { prescriptionForArchive } from "./archive-manifest.ts";
import type { ArchiveContent } from "./archive-types.ts";

/** The endings by which exocad recognises the scans of a case. */
const endings: Partial<Record<string, string>> = { upperScan: "-upperjaw", lowerScan: "-lowerjaw", bite: "-bite" };

/** Returns the path of a scan, without its extension, as exocad expects it; null for files that it does not look for. */
export function nameForExocad(content: ArchiveContent, { file }: AccessibleFile): string | null {
  const ending = endings[file.role];
  const name = caseName(content);
  return ending === undefined ? null : `${name}/${name}${ending}`;
}

/** Writes the order as a project file of exocad, from the laboratory's own template and in its words. */
export function buildExocadProject(content: ArchiveContent): { path: string; bytes: Buffer } {
  const { order, isDeidentified, accessibleFiles, lab } = content;
  const rx = prescriptionForArchive(order.rx, isDeidentified);
  const name = caseName(content);
  const roles = new Set(accessibleFiles.map(({ file }) => file.role));
  const bytes = writeExocadProject(
    {
      patient: {
        // DentalDB takes a number of 0 literally, and two patients without a number would be one.
        number: (isDeidentified ? "" : order.shown_number) || order.number,
        lastName: isDeidentified ? order.number : order.shown_name,
        firstName: "",
      },
      practice: { number: order.sender_number, name: order.sender_name },
      date: dayOf(content),
      orderNumber: order.number,
      notes: rx.instructions ?? "",
      items: rx.items as CaseItem[],
      isScrewRetained: rx.fixType === "screw",
      antagonist: roles.has("upperScan") && roles.has("lowerScan") ? "scanned" : "none",
      hasScanBodies: false,
      guid: order.id,
      uniqueId: toCapitals(order.id),
    },
    lab.template,
    lab.words,
  );
  return { path: `${name}/${name}.dentalProject`, bytes: Buffer.from(bytes) };
}

/** As exocad names a case: its day and the patient. */
const caseName = (content: ArchiveContent): string =>
  `${dayOf(content)}_${toSafeFileName((content.isDeidentified ? "" : content.order.shown_name) || content.order.number).replaceAll(/[\s.]+/g, "_")}`;

/** The project and the name of its folder state the same day; which zone it is of does not matter to exocad. */
const dayOf = ({ order }: ArchiveContent): string => localDayIn("UTC", order.created_at);

/** 26 capitals, the same for each download of an order, so that exocad knows the project again. */
const toCapitals = (id: string): string =>
  Array.from(createHash("sha256").update(id).digest().subarray(0, 26), (byte) =>
    String.fromCharCode(65 + (byte % 26)),
  ).join("");
