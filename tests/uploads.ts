import type { IngestJob } from "@arcada/contract/study/study.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { waitForIngest } from "../demo/ingest-over.ts";
import type { TestUser } from "./world.ts";

/** A patient of this clinic; answers the id. */
export async function createPatient(
  clinic: TestUser,
  options: { name?: string; birthDate?: string } = {},
): Promise<string> {
  return (
    await clinic.call("patient.create", {
      name: "王小明",
      sex: "male",
      birthDate: "1990-01-01",
      evenIfDuplicate: true,
      ...options,
    })
  ).id;
}

interface OpenOptions {
  acceptMismatch?: boolean;
  kind?: ChosenKind;
}

/** Uploads files and opens them for a patient; answers the job's id. */
export async function openStudy(
  clinic: TestUser,
  patientId: string,
  files: Record<string, Uint8Array>,
  options: OpenOptions = {},
): Promise<string> {
  const uploads: string[] = [];
  for (const [name, bytes] of Object.entries(files)) uploads.push(await clinic.upload(name, bytes));
  return (await clinic.call("study.open", { patientId, uploads, ...options })).id;
}

/** Waits for a job's end. */
export const waitForIngestJob = (clinic: TestUser, id: string): Promise<IngestJob> =>
  waitForIngest(() => clinic.call("study.job", { id }));

export const uploadStudy = async (
  clinic: TestUser,
  patientId: string,
  files: Record<string, Uint8Array>,
  options: OpenOptions = {},
): Promise<IngestJob> => waitForIngestJob(clinic, await openStudy(clinic, patientId, files, options));
