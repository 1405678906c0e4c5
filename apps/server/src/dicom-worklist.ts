import type { WorklistEntry } from "@arcada/contract/device/device.calls";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { toWorklistEntry } from "./device/worklist-entry.ts";
import { listWorklist } from "./device/worklist.store.ts";
import { createFindService } from "./dimse/find-response.ts";
import { explicitLittleEndian, worklistModel } from "./dimse/presentation-contexts.ts";
import { ServiceRefused, type DimseService, type ServiceRequest } from "./dimse/service.ts";
import { toScheduledStep } from "./dimse/worklist/scheduled-step.ts";
import { parseWorklistIdentifier, toWorklistFilter, type WorklistFilter } from "./dimse/worklist/worklist-query.ts";
import { createResponseWriter } from "./dimse/worklist/worklist-response.ts";
import { readInstitutionZone } from "./domain/institution-time-zone.ts";
import type { AdmittedApplication } from "./pacs/application-services.ts";
import { audit } from "./platform/audit/audit.ts";
import type { Database } from "./platform/database/database.ts";

const worklistRules = { pages: 5, answers: 500 } as const;

/** The modality work list of the caller's clinic (PS3.4 K), as the gateway answers it. */
export const createWorklistService = (
  database: Database,
  caller: AdmittedApplication,
  modality: string,
): DimseService => createFindService(worklistModel, (request) => findSteps(database, caller, modality, request));

async function findSteps(
  database: Database,
  caller: AdmittedApplication,
  modality: string,
  { identifier, transferSyntax, callingTitle }: ServiceRequest,
): Promise<Buffer[]> {
  const explicit = transferSyntax === explicitLittleEndian;
  const [asked, criteria] = parseWorklistIdentifier(identifier, explicit);
  const station = { title: callingTitle, modality: modality || criteria.modality || "OT" };
  const entries = await readEntries(database, caller, toWorklistFilter(criteria));
  const steps = entries.map((entry) => toScheduledStep(entry, station)).filter((step) => criteria.matches(step));
  if (steps.length > worklistRules.answers)
    throw new ServiceRefused("outOfResources", `more than ${worklistRules.answers} answers: ask for less`);
  return steps.map(createResponseWriter(asked, explicit, "ISO_IR 192"));
}

function readEntries(
  database: Database,
  { iid, uid, title, address }: AdmittedApplication,
  filter: WorklistFilter,
): Promise<WorklistEntry[]> {
  return database.as({ system: false, iid, uid }, async (db) => {
    const zone = await readInstitutionZone(db, iid);
    const today = localDayIn(zone, new Date());
    const isOpenEnded = filter.from === undefined && (filter.name ?? filter.number) !== undefined;
    const days = isOpenEnded ? { from: null, to: null } : { from: filter.from ?? today, to: filter.to ?? today };
    const found: WorklistEntry[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < worklistRules.pages; page++) {
      const { rows, next } = await listWorklist(db, iid, { ...filter, ...days, zone, cursor });
      found.push(...rows.map((row) => toWorklistEntry(row, today.replaceAll("-", ""))));
      if (next === null) break;
      cursor = next;
    }
    const detail = { by: "dimse", title };
    await audit(db, { institution_id: iid, user_id: null, action: "device.worklist", detail, address });
    return found;
  });
}
