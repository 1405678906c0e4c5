import { createFindService } from "../dimse/find-response.ts";
import { AssociationFailed } from "../dimse/open-association.ts";
import {
  patientRootFind,
  patientRootGet,
  patientRootMove,
  studyRootFind,
  studyRootGet,
  studyRootMove,
} from "../dimse/presentation-contexts.ts";
import { createGetService, createMoveService, type ConnectToDestination } from "../dimse/retrieve-response.ts";
import { proposeContexts, type OutgoingObject } from "../dimse/send-objects.ts";
import { ServiceRefused, type DimseService, type ServiceRequest } from "../dimse/service.ts";
import { audit } from "../platform/audit/audit.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { Config } from "../platform/runtime/config.ts";
import type { CommitmentReport, CommittedObject } from "@arcada/contract/pacs/commitment-report";
import { connectToDestination, DestinationFailed } from "./connect-to-destination.ts";
import { findDestinationByTitle } from "./destination.store.ts";
import { listRequestedObjects } from "./query/list-objects.ts";
import { parseIdentifier } from "./query/parse-identifier.ts";
import { searchRecords } from "./query/search-records.ts";
import { toOutgoingObject } from "./read-stored-object.ts";
import { enqueueTask } from "./send-task.ts";
import { createCommitmentService } from "./storage-commitment.ts";
import { insertReportTask } from "./task.store.ts";

/** An admitted application, and the clinic for which it works. */
export interface AdmittedApplication {
  iid: string;
  uid: string;
  title: string;
  address: string;
}
interface ServiceContext {
  config: Config;
  database: Database;
  caller: AdmittedApplication;
}

/** Query/Retrieve (PS3.4 C) for the studies of the caller's clinic, under row-level security. */
export const createQueryServices = (context: ServiceContext): DimseService[] => [
  createFindService(patientRootFind, (request) => findRecords(context, request, true)),
  createFindService(studyRootFind, (request) => findRecords(context, request, false)),
  createGetService(patientRootGet, (request) => findObjects(context, request, true)),
  createGetService(studyRootGet, (request) => findObjects(context, request, false)),
  createMoveService(patientRootMove, (request) => findObjects(context, request, true), connectFor(context)),
  createMoveService(studyRootMove, (request) => findObjects(context, request, false), connectFor(context)),
];

/** Storage Commitment for what the caller has sent. */
export const createCommitment = (context: ServiceContext): DimseService =>
  createCommitmentService({
    findKept: (objects) => asClinic(context, (db) => findKeptObjects(db, context.caller.iid, objects)),
    queueReport: (report) => asClinic(context, (db) => queueReport(db, context.caller, report)),
  });

const asClinic = <T>({ database, caller: { iid, uid } }: ServiceContext, work: (db: Db) => Promise<T>): Promise<T> =>
  database.as({ system: false, iid, uid }, work);

const writeAccess = (db: Db, { iid, title, address }: AdmittedApplication, action: string, subject: string | null) =>
  audit(db, { institution_id: iid, user_id: null, action, subject, detail: { by: "dimse", title }, address });

async function findRecords(context: ServiceContext, request: ServiceRequest, hasPatients: boolean) {
  const identifier = parseIdentifier(request, hasPatients);
  await asClinic(context, (db) => writeAccess(db, context.caller, "study.list", null));
  return searchRecords(identifier, context.config.DICOM_AE_TITLE, (work) => asClinic(context, work));
}

async function findObjects(context: ServiceContext, request: ServiceRequest, hasPatients: boolean) {
  const identifier = parseIdentifier(request, hasPatients);
  const stored = await listRequestedObjects(identifier, (work) => asClinic(context, work));
  const studies = new Set(stored.map(({ studyId }) => studyId));
  await asClinic(context, async (db) => {
    for (const study of studies) await writeAccess(db, context.caller, "study.read", study);
  });
  return stored.map((one) => toOutgoingObject(context.caller.iid, one));
}

/** A C-MOVE leads to the clinic's own destinations alone: nobody may have studies sent to an address of their choice. */
const connectFor =
  (context: ServiceContext): ConnectToDestination =>
  async (title, objects: readonly OutgoingObject[]) => {
    const destination = await asClinic(context, (db) => findDestinationByTitle(db, context.caller.iid, title));
    if (!destination) throw new ServiceRefused("unknownDestination", `the clinic has no destination ${title}`);
    try {
      return await connectToDestination(context.config, destination, proposeContexts(objects));
    } catch (error) {
      if (!(error instanceof DestinationFailed)) throw error;
      throw new AssociationFailed("network", error.message);
    }
  };

/** An object is safely stored once its bytes are on the disk and its row is committed, also if it still waits. */
async function findKeptObjects(db: Db, iid: string, objects: readonly CommittedObject[]): Promise<ReadonlySet<string>> {
  const uids = objects.map(({ sopInstance }) => sopInstance);
  const [indexed, waiting] = await Promise.all([
    db
      .selectFrom("instance as i")
      .innerJoin("study as s", (join) =>
        join.onRef("s.institution_id", "=", "i.institution_id").onRef("s.id", "=", "i.study_id"),
      )
      .select("i.sop_uid as uid")
      .where("i.institution_id", "=", iid)
      .where("i.sop_uid", "in", uids)
      .where("s.deleted_at", "is", null)
      .execute(),
    db
      .selectFrom("intake")
      .select("sop_uid as uid")
      .where("institution_id", "=", iid)
      .where("sop_uid", "in", uids)
      .execute(),
  ]);
  return new Set([...indexed, ...waiting].flatMap(({ uid }) => uid ?? []));
}

async function queueReport(db: Db, { iid, title }: AdmittedApplication, report: CommitmentReport): Promise<boolean> {
  const destination = await findDestinationByTitle(db, iid, title);
  if (!destination) return false;
  const task = await insertReportTask(db, iid, destination.id, report);
  await enqueueTask(db, iid, task, destination.id);
  return true;
}
