import type { PlanPicture } from "@arcada/contract/implant/plan-report.schema";
import type { implantCalls, PlanDocumentKind } from "@arcada/contract/implant/implant.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { resolveZone } from "../domain/institution-time-zone.ts";
import { redrawImage, type ImageCopy } from "../platform/storage/image-copy.ts";
import { renderPdf } from "../platform/pdf/pdf-blocks.ts";
import type { Principal } from "../platform/http/request-context.ts";
import type { PlannedStudy } from "./implant.store.ts";
import { buildPlanReport } from "./plan-report.document.ts";

export interface ReportFile {
  kind: PlanDocumentKind;
  name: string;
  data: Uint8Array;
}

/** Pixels of the longer side: 180 mm of paper at 300 dots per inch. */
const pictureSide = 2126;

/**
 * Makes the files of a plan's report: the PDF first, then its pictures. Pictures are drawn again, so that nothing but
 * their pixels is kept. Refuses `pictureTooLarge`, `pictureBusy`, `fileUnknown`.
 */
export async function buildReportFiles(
  study: PlannedStudy,
  { principal, now }: { principal: Principal; now: Date },
  { content, pictures, lang }: Pick<Parsed<typeof implantCalls.saveReport>, "content" | "pictures" | "lang">,
): Promise<ReportFile[]> {
  const redrawn: { picture: PlanPicture; copy: ImageCopy }[] = [];
  // One after another: each person has a limit of waiting images.
  for (const picture of pictures) {
    const source = { bytes: Buffer.from(picture.image, "base64") };
    const task = { source, width: pictureSide, height: pictureSide, as: "jpeg", kinds: ["jpeg", "png"] } as const;
    redrawn.push({ picture, copy: await redrawImage(principal.uid, task, { unreadable: "fileUnknown" }) });
  }
  const images = redrawn.map(({ picture: { kind, number }, copy }) => ({ kind, number, ...copy }));
  const document = buildPlanReport({ study, content, images, plannedBy: principal.name, now }, lang);
  const base = `implant-plan-${study.patientNumber}-${localDayIn(resolveZone(study), now)}`;
  return [
    { kind: "report", name: `${base}.pdf`, data: await renderPdf(document) },
    ...images.map(({ kind, number, bytes }) => ({
      kind: "picture" as const,
      name: `${base}-${[number, kind].filter((part) => part !== null).join("-")}.jpg`,
      data: bytes,
    })),
  ];
}
