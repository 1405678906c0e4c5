import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { SenderPerson } from "@arcada/contract/study/inbox.calls";
import { readExocadProject } from "@arcada/exchange/exocad/read-exocad-project";
import { ExchangeError } from "@arcada/exchange/exchange-error";
import type { CasePatient } from "@arcada/exchange/lab-case/lab-case";
import type { CaseFolder } from "@arcada/exchange/scan-folder/group-case-files";
import { readThreeShapeOrder } from "@arcada/exchange/three-shape/read-three-shape-order";
import { xmlLimits } from "@arcada/exchange/xml/read-xml";

/**
 * Returns the person whom a case's project file names; null where there is none, or it cannot be read: the images then
 * wait in the inbox.
 */
export async function readCasePerson(folder: string, { project }: CaseFolder): Promise<SenderPerson | null> {
  if (!project) return null;
  const at = path.join(folder, project.path);
  const { size } = await stat(at);
  if (size > xmlLimits.bytes) return null;
  try {
    const bytes = await readFile(at);
    const { patient } = project.program === "exocad" ? readExocadProject(bytes, "case") : readThreeShapeOrder(bytes);
    return toSenderPerson(patient);
  } catch (error) {
    if (error instanceof ExchangeError) return null;
    throw error;
  }
}

function toSenderPerson({ number, lastName, firstName }: CasePatient): SenderPerson | null {
  const name = [lastName, firstName].filter(Boolean).join("^").slice(0, 200);
  if (name === "" && number === null) return null;
  return { number: (number ?? "").slice(0, 64), name, birthDate: null, sex: null };
}
