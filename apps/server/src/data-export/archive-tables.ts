import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { fileColumns } from "../platform/storage/file-columns.ts";
import type { FileColumn } from "../platform/storage/file-columns.ts";

export interface ArchiveTable {
  name: string;
  /** Condition for the rows of table `t` that belong to the institution. */
  rows: (iid: RawBuilder<string>) => RawBuilder<boolean>;
  /** The order of the lines, which an import preserves. */
  order: string;
  /** Columns that have a meaning on this instance only. */
  without?: readonly string[];
  files?: readonly FileColumn[];
}

const byInstitution = (iid: RawBuilder<string>) => sql<boolean>`t.institution_id = ${iid}`;
const byRelation = (iid: RawBuilder<string>) => sql<boolean>`${iid} in (t.institution_id, t.target_id)`;
const archiveTable = (name: string, order: string, more: Partial<ArchiveTable> = {}): ArchiveTable => ({
  name,
  order,
  rows: byInstitution,
  files: fileColumns.filter((one) => one.table === name),
  ...more,
});

/** The tables of an institution's export, each after the tables that its rows refer to. */
export const archiveTables: readonly ArchiveTable[] = [
  archiveTable("institution", "id", {
    rows: (iid) => sql`t.id = ${iid}`,
    without: ["stub"],
  }),
  archiveTable("membership", "joined_at, id"),
  archiveTable("admission", "created_at, id"),
  archiveTable("relation", "requested_at, id", { rows: byRelation }),
  archiveTable("relation_event", "seq", {
    rows: (iid) =>
      sql`exists (select from relation r where r.id = t.relation_id and ${iid} in (r.institution_id, r.target_id))`,
    without: ["seq"],
  }),
  archiveTable("relation_invitation", "created_at, id"),
  archiveTable("stored_file", "sha256"),
  archiveTable("patient_counter", "institution_id"),
  archiveTable("patient", "created_at, id"),
  archiveTable("patient_merge", "merged_at, id"),
  archiveTable("study", "created_at, id"),
  archiveTable("series", "study_id, place, id"),
  archiveTable("instance", "study_id, series_id, place, id"),
  archiveTable("converted_file", "study_id, owner_id, role, place"),
  archiveTable("study_person", "study_id"),
  archiveTable("study_question", "study_id, patient_id"),
  archiveTable("study_marks", "study_id"),
  archiveTable("study_marks_version", "study_id, version"),
  archiveTable("film_mount", "patient_id, kind"),
  archiveTable("tooth_chart", "patient_id, version"),
  archiveTable("chart_decision", "patient_id, at, image_sha256, code"),
  archiveTable("visit", "created_at, id"),
  archiveTable("visit_version", "visit_id, version"),
  archiveTable("visit_file", "visit_id, id"),
  archiveTable("consent", "recorded_at, id"),
  archiveTable("implant_library", "imported_at, id"),
  // A report stands before its pictures, which refer to it.
  archiveTable("implant_document", "report_id nulls first, made_at, id"),
  archiveTable("ceph_tracing", "study_id, instance_id"),
  archiveTable("ceph_tracing_version", "study_id, tracing_id, version"),
  archiveTable("analysis", "created_at, id", { without: ["held_until"] }),
  archiveTable("analysis_artefact", "analysis_id, code"),
  archiveTable("observation", "analysis_id, place"),
  archiveTable("orders", "created_at, id"),
  archiveTable("order_rx", "order_id, revision"),
  archiveTable("order_revision", "order_id, created_at, id"),
  archiveTable("order_revision_opening", "order_id, revision_id, user_id"),
  archiveTable("order_file", "order_id, created_at, place, id"),
  archiveTable("order_proposal", "order_id, created_at, id"),
  archiveTable("order_event", "seq", { without: ["seq"] }),
  archiveTable("order_message", "order_id, at, id"),
  archiveTable("order_reading", "order_id, user_id"),
  archiveTable("order_pin", "order_id, number"),
  archiveTable("order_pin_answer", "order_id, at, id"),
  archiveTable("order_template", "id"),
  archiveTable("order_lab_words", "institution_id"),
  archiveTable("order_lab_template", "institution_id"),
  archiveTable("report_counter", "institution_id"),
  archiveTable("report", "created_at, id"),
  archiveTable("report_picture", "report_id, instance_id, box"),
  archiveTable("report_paper", "report_id, language"),
  archiveTable("notice", "created_at, id"),
  archiveTable("audit", "id"),
  archiveTable("imported_audit", "at, id"),
  archiveTable("imported_row", "source, place"),
];

/** Tables with an institution column that are not exported, with the reason. */
export const tablesNotExported: Readonly<Record<string, string>> = {
  patient_with_ct: "asked of studies that travel",
  session: "who is signed in here",
  upload: "what is under way; finished files are in stored_file",
  intake: "what is under way",
  ingest_job: "work of this instance",
  ingest_content: "work of this instance",
  taking: "exports themselves",
  taking_file: "exports themselves",
  unneeded: "what goes from this instance's store",
  scrub: "readings of this instance's store",
  file_fault: "faults of this instance's store",
  order_entry: "made of orders that travel",
  order_entry_of: "made of orders that travel",
  order_entry_mine: "made of orders that travel",
  order_tally: "counted from orders that travel",
  storage_tally: "summed from files that travel",
  order_look: "how a person likes to look at a list here",
  order_glb: "made of files that travel",
  order_picture: "made of files that travel",
  cleaned_file: "made of files that travel",
  study_download: "what is under way",
  order_download: "what is under way",
  patient_download: "what is under way",
  patient_reading: "which patients a person opened here",
  api_key: "keys that open this instance",
  scim_user: "sent again by the identity provider",
  scim_group: "sent again by the identity provider",
  scim_group_member: "sent again by the identity provider",
  provider_grant: "given by the identity providers of this instance",
  webhook: "endpoints that know this instance's secrets",
  webhook_delivery: "what is under way, and what this instance sent",
  smart_app: "apps that are registered with this instance",
  smart_grant: "what people allowed apps of this instance",
  smart_token: "tokens that open this instance",
  pacs_destination: "addresses that this instance reaches",
  pacs_task: "what is under way, and what this instance sent",
  hl7_connection: "addresses that this instance reaches",
  hl7_order: "requests of a system that this instance is connected with",
  hl7_message: "what is under way, and what this instance received and sent",
  share: "links that lead to this instance",
  share_visit: "who looks by a link just now",
  share_event: "links that lead to this instance; what they showed stands in the trail",
  engine_pack: "licensed for this instance",
  engine_pack_permission: "allowed by this instance's operator",
  engine_included: "switched on by this instance's operator",
  engine_on_upload: "chooses among the engines of this instance",
  engine_remote: "knows this instance's secrets",
  quota_ledger: "what was granted and used here",
  capacity_card: "bought of this instance",
  capacity_period: "bought of this instance",
  institution_quota: "given by the operator of this instance",
  capacity_payment: "bought of this instance",
  clinic_join: "what the service of this instance knows of a clinic",
  clinic: "what the service of this instance knows of a clinic",
  device: "looked after by this instance's service, with keys that open it",
  device_event: "what happened to devices here",
  package_download: "what was fetched from this instance",
  work_order: "what the service of this instance does for a clinic",
  work_order_event: "what the service of this instance does for a clinic",
  work_order_file: "what the service of this instance does for a clinic",
  dicom_study: "read again from the files",
  dicom_series: "read again from the files",
  dicom_instance: "read again from the files",
};

const receivedOrders = (iid: RawBuilder<string>) =>
  sql`exists (select from orders o where o.institution_id = t.institution_id and o.id = t.order_id
    and o.receiver_id = ${iid} and o.handed_over_at is not null`;

/** Records of others that the institution may read: they are exported for reading, under names of their own. */
export const readOnlyTables: readonly (ArchiveTable & { of: string })[] = [
  {
    name: "received_orders",
    of: "orders",
    order: "created_at, id",
    rows: (iid) => sql`t.receiver_id = ${iid} and t.handed_over_at is not null and order_read_by_receiver(t.state)`,
    without: ["patient_id", "copied_from", "remake_of", "assignee_id"],
  },
  {
    name: "received_order_revision",
    of: "order_revision",
    order: "order_id, created_at, id",
    rows: (iid) => sql`${receivedOrders(iid)})`,
  },
  {
    name: "received_order_file",
    of: "order_file",
    order: "order_id, created_at, place, id",
    rows: (iid) => sql`${receivedOrders(iid)} and (t.side = 'receiver' or order_read_by_receiver(o.state)))`,
    without: ["study_id"],
  },
  {
    name: "received_order_event",
    of: "order_event",
    order: "seq",
    rows: (iid) => sql`not t.inner_only and ${receivedOrders(iid)})`,
    without: ["seq"],
  },
  {
    name: "received_order_message",
    of: "order_message",
    order: "order_id, at, id",
    rows: (iid) => sql`${receivedOrders(iid)})`,
  },
];

/** People and other institutions that the rows name: created by the export, and imported by separate rules. */
export const generatedTables = ["users", "contact", "other_institution"] as const;
