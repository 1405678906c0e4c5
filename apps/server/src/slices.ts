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
import { ingestSlice } from "./ingest/slice.ts";
import { memberSlice } from "./member/slice.ts";
import { operatorSlice } from "./operator/slice.ts";
import { reportSlice } from "./report/slice.ts";
import { createRetentionSlice } from "./retention/slice.ts";
import { serviceSlice } from "./service/slice.ts";
import { upgradeSlice } from "./upgrade/slice.ts";
import { visitSlice } from "./visit/slice.ts";
import { erasePatient } from "./patient/erase/erase-patient.ts";
import { setSubscribers } from "./platform/events/events.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { Slice, TableName } from "./platform/runtime/slice.ts";
import { archiveCopyMaker } from "./study/deidentify/order-copies.ts";

/**
 * Every slice of the server. Subscribers of one event run in this order: notices and webhooks first, and orders last,
 * because a step of an order may cause a step of another one.
 */
export const slices: readonly Slice[] = [
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
  ingestSlice,
  memberSlice,
  operatorSlice,
  reportSlice,
  createRetentionSlice(erasePatient),
  serviceSlice,
  upgradeSlice,
  visitSlice,
];

/** Must be called in every process that may publish events. */
export const subscribeSlices = (config: Config): void =>
  setSubscribers(slices.flatMap(({ subscribers }) => subscribers?.(config) ?? []));

/** The tables that belong to no slice. */
export const platformTables: readonly TableName[] = [
  "audit",
  "audit_anchor",
  "audit_epoch",
  "backup_run",
  "idempotency",
  "letter_count",
  "storage",
  "stored_file",
  "upload",
  "unneeded",
  "file_fault",
  "code_key",
  "readiness",
  "installation_setting",
];
