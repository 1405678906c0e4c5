import type { RefusedFile } from "../read/unpack-sources.ts";
import { findKnownStudies } from "./known-files.store.ts";
import { findOwner } from "./study-owner.ts";
import type { PlannedStudy } from "./plan-studies.ts";
import type { ReadFile } from "../read/read-files.ts";
import type { JobRun } from "../job-run.ts";

/**
 * Removes studies that consist of presentation states alone: they describe the display of images that are not here,
 * which is reported to a person who uploaded them. Devices send file by file, and their images may follow.
 */
export async function removeLonePresentationStates(
  run: JobRun,
  planned: readonly PlannedStudy<ReadFile>[],
  refused: RefusedFile[],
): Promise<PlannedStudy<ReadFile>[]> {
  if (run.job.origin !== "upload") return [...planned];
  const kept: PlannedStudy<ReadFile>[] = [];
  for (const study of planned) {
    const files = study.series.flatMap((series) => series.files.map(({ file }) => file));
    if (files.every(isPresentationState) && !(await isStudyKnown(run, study)))
      refused.push(...files.map(({ name }) => ({ name, refusal: "filePresentationOnly" as const })));
    else kept.push(study);
  }
  return kept;
}

const isPresentationState = (file: ReadFile): boolean => file.format === "dicom" && file.header.presentation !== null;

const isStudyKnown = (run: JobRun, study: PlannedStudy<ReadFile>): Promise<boolean> =>
  run.as(async (db) => {
    if (study.uid === null) return false;
    const owner = await findOwner(db, run.job, study);
    const known = await findKnownStudies(db, run.key.iid, [study.uid]);
    return known.some(({ patient_id }) => patient_id === owner.patient);
  });
