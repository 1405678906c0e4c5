import type { IngestJob } from "@arcada/contract/study/study.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { ingestOver } from "../demo/ingest-over.ts";
import type { Person } from "./world.ts";

/** A patient of this clinic; answers the id. */
export async function newPatient(clinic: Person, more: { name?: string; birthDate?: string } = {}): Promise<string> {
  return (
    await clinic.gets("patient.create", {
      name: "王小明",
      sex: "male",
      birthDate: "1990-01-01",
      evenIfDuplicate: true,
      ...more,
    })
  ).id;
}

interface Opening {
  acceptMismatch?: boolean;
  kind?: ChosenKind;
}

/** Uploads files and opens them for a patient; answers the job's id. */
export async function opened(
  clinic: Person,
  patientId: string,
  files: Record<string, Uint8Array>,
  more: Opening = {},
): Promise<string> {
  const uploads: string[] = [];
  for (const [name, bytes] of Object.entries(files)) uploads.push(await clinic.uploads(name, bytes));
  return (await clinic.gets("study.open", { patientId, uploads, ...more })).id;
}

/** Waits for a job's end. */
export const ended = (clinic: Person, id: string): Promise<IngestJob> =>
  ingestOver(() => clinic.gets("study.job", { id }));

export const uploaded = async (
  clinic: Person,
  patientId: string,
  files: Record<string, Uint8Array>,
  more: Opening = {},
): Promise<IngestJob> => ended(clinic, await opened(clinic, patientId, files, more));
