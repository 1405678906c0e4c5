import path from "node:path";
import { analysisSlice } from "./analysis/slice.ts";
import { noticeSlice } from "./notice/slice.ts";
import { deviceSlice } from "./device/slice.ts";
import { workorderSlice } from "./workorder/slice.ts";
import { feedbackSlice } from "./feedback/slice.ts";
import { integrationsSlice } from "./integrations/slice.ts";
import { patientSlice } from "./patient/slice.ts";
import { studySlice } from "./study/slice.ts";
import { accountSlice } from "./account/slice.ts";
import { institutionSlice } from "./institution/slice.ts";
import { shareSlice } from "./share/slice.ts";
import { relationSlice } from "./relation/slice.ts";
import { createOrderSlice } from "./order/slice.ts";
import { auditSlice } from "./audit/slice.ts";
import { capacitySlice } from "./capacity/slice.ts";
import { cephSlice } from "./ceph/slice.ts";
import { chartSlice } from "./chart/slice.ts";
import { clinicSlice } from "./clinic/slice.ts";
import { consentSlice } from "./consent/slice.ts";
import { dashboardSlice } from "./dashboard/slice.ts";
import { dataExportSlice } from "./data-export/slice.ts";
import { dicomwebSlice } from "./dicomweb/slice.ts";
import { createFhirSlice } from "./fhir/slice.ts";
import { hl7Slice } from "./hl7/slice.ts";
import { implantSlice } from "./implant/slice.ts";
import { ingestSlice } from "./ingest/slice.ts";
import { memberSlice } from "./member/slice.ts";
import { operatorSlice } from "./operator/slice.ts";
import { pacsSlice } from "./pacs/slice.ts";
import { reportSlice } from "./report/slice.ts";
import { createRetentionSlice } from "./retention/slice.ts";
import { createSearchSlice } from "./search/slice.ts";
import { scimSlice } from "./scim/slice.ts";
import { serviceSlice } from "./service/slice.ts";
import { upgradeSlice } from "./upgrade/slice.ts";
import { smartSlice } from "./smart/slice.ts";
import { visitSlice } from "./visit/slice.ts";
import { erasePatient } from "./patient/erase/erase-patient.ts";
import type { Database } from "./platform/database/database.ts";
import { partitionTask } from "./platform/database/partitions.ts";
import { setSubscribers } from "./platform/events/events.ts";
import { deleteOldResponses } from "./platform/http/idempotency.ts";
import { deleteExpiredClusters } from "./platform/postgres-upgrade/former-clusters.ts";
import type { RepeatedTask } from "./platform/jobs/repeated-tasks.ts";
import { compactStorageTally } from "./platform/upload/storage-tally.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { JobServices, Slice, TableName } from "./platform/runtime/slice.ts";
import { codeKeyEveryMs, publishCodeKey } from "./platform/security/verification-code-key.ts";
import type { Gauge, GaugeServices } from "./platform/telemetry/gauges.ts";
import { platformGauges } from "./platform/telemetry/platform-gauges.ts";
import { archiveCopyMaker } from "./study/deidentify/deidentified-order-files.ts";

/**
 * Every slice that does not need the others. Subscribers of one event run in this order: notices and webhooks first, and orders last,
 * because a step of an order may cause a step of another one.
 */
const independentSlices: readonly Slice[] = [
  analysisSlice,
  noticeSlice,
  deviceSlice,
  workorderSlice,
  feedbackSlice,
  integrationsSlice,
  patientSlice,
  studySlice,
  accountSlice,
  institutionSlice,
  shareSlice,
  relationSlice,
  createOrderSlice(archiveCopyMaker),
  auditSlice,
  capacitySlice,
  cephSlice,
  chartSlice,
  clinicSlice,
  consentSlice,
  dashboardSlice,
  dataExportSlice,
  dicomwebSlice,
  hl7Slice,
  implantSlice,
  ingestSlice,
  memberSlice,
  operatorSlice,
  pacsSlice,
  reportSlice,
  createRetentionSlice(erasePatient),
  scimSlice,
  serviceSlice,
  smartSlice,
  upgradeSlice,
  visitSlice,
];

/**
 * Every slice of the server. FHIR makes the calls of the others, and the search asks them for their records.
 */
export const slices: readonly Slice[] = [
  ...independentSlices,
  createFhirSlice(independentSlices.flatMap(({ routes }) => routes ?? [])),
  createSearchSlice(independentSlices.flatMap(({ search }) => search ?? [])),
];

/** Must be called in every process that may publish events. */
export const subscribeSlices = (config: Config): void =>
  setSubscribers(slices.flatMap(({ subscribers }) => subscribers?.(config) ?? []));

/** The work that is repeated in every process that runs jobs, beside the schedule of the queues. */
export const listRepeatedTasks = (services: JobServices): RepeatedTask[] => [
  partitionTask(services.database),
  {
    name: "platform.deleteOldResponses",
    everyMs: 600_000,
    toleratedMs: 7_200_000,
    run: () => deleteOldResponses(services.database),
  },
  {
    name: "platform.compactStorageTally",
    everyMs: 10_000,
    toleratedMs: 900_000,
    run: () => compactStorageTally(services.database),
  },
  // With an external database there is no cluster of a former version.
  ...(services.config.DATABASE_URL
    ? []
    : [
        {
          name: "platform.deleteExpiredClusters",
          everyMs: 3_600_000,
          toleratedMs: 2 * 86_400_000,
          run: () => deleteExpiredClusters(path.join(services.config.dataDir, "postgres")),
        },
      ]),
  ...slices.flatMap((slice) => slice.tasks?.(services) ?? []),
];

/** Runs in every process that serves requests. */
export const createKeyTask = (database: Database): RepeatedTask => ({
  name: "platform.publishCodeKey",
  everyMs: codeKeyEveryMs,
  toleratedMs: 600_000,
  run: () => publishCodeKey(database),
});

/** The figures of the instance and of this process. */
export const listGauges = (services: GaugeServices): Gauge[] => [
  ...platformGauges(services),
  ...slices.flatMap((slice) => slice.gauges?.(services) ?? []),
];

/** The tables that belong to no slice. */
export const platformTables: readonly TableName[] = [
  "audit",
  "audit_anchor",
  "audit_epoch",
  "audit_gap",
  "backup_run",
  "idempotency",
  "letter_count",
  "storage",
  "storage_tally",
  "stored_file",
  "upload",
  "unneeded",
  "file_fault",
  "code_key",
  "readiness",
  "installation_setting",
  "repeated_task",
];
