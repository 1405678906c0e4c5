import type { Refusal } from "./gather.ts";
import { knownStudy } from "./known.store.ts";
import { ownerOf } from "./owner.ts";
import type { PlannedStudy } from "./plan.ts";
import type { ReadFile } from "./read.ts";
import type { Run } from "./run.ts";

/**
 * Removes studies that consist of presentation states alone: they describe the display of images that are not here,
 * which is reported to a person who uploaded them. Devices send file by file, and their images may follow.
 */
export async function withoutLoneStates(
  run: Run,
  planned: readonly PlannedStudy<ReadFile>[],
  refused: Refusal[],
): Promise<PlannedStudy<ReadFile>[]> {
  if (run.job.origin !== "upload") return [...planned];
  const kept: PlannedStudy<ReadFile>[] = [];
  for (const study of planned) {
    const files = study.series.flatMap((series) => series.files.map(({ file }) => file));
    if (files.every(isState) && !(await isHere(run, study)))
      refused.push(...files.map(({ name }) => ({ name, refusal: "filePresentationOnly" as const })));
    else kept.push(study);
  }
  return kept;
}

const isState = (file: ReadFile): boolean => file.format === "dicom" && file.header.presentation !== null;

const isHere = (run: Run, study: PlannedStudy<ReadFile>): Promise<boolean> =>
  run.as(async (db) => {
    const { patient } = await ownerOf(db, run.job, study);
    return (await knownStudy(db, run.key.iid, patient, study.uid)) !== null;
  });
