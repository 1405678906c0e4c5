import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { archiveTables, readOnlyTables } from "./archive-tables.ts";

export const personColumns = ["id", "user_name", "nick_name", "language"];
export const contactColumns = ["user_id", "kind", "value", "country_code", "verified_at"];

/** Columns that contain people, by table; all other data of a person are their own and are not exported. */
const personReferences: Readonly<Record<string, readonly string[]>> = {
  institution: ["created_by", "opened_by"],
  membership: ["user_id", "operator_id"],
  admission: ["user_id", "inviter_id", "operator_id"],
  relation: ["requested_by"],
  relation_event: ["user_id"],
  relation_invitation: ["invited_by"],
  patient: ["created_by"],
  patient_merge: ["merged_by", "undone_by"],
  study: ["created_by"],
  study_marks: ["saved_by"],
  study_marks_version: ["saved_by"],
  film_mount: ["saved_by"],
  tooth_chart: ["by_user"],
  chart_decision: ["by_user"],
  visit: ["dentist_id", "created_by", "changed_by", "deleted_by"],
  visit_version: ["dentist_id", "saved_by"],
  visit_file: ["added_by"],
  consent: ["recorded_by", "withdrawal_recorded_by"],
  implant_library: ["imported_by"],
  implant_document: ["made_by"],
  ceph_tracing: ["saved_by"],
  ceph_tracing_version: ["saved_by"],
  analysis: ["started_by"],
  orders: ["creator_id", "made_by", "assignee_id", "accepted_by"],
  order_rx: ["user_id"],
  order_revision: ["user_id", "decided_by"],
  order_revision_opening: ["user_id"],
  order_file: ["added_by"],
  order_proposal: ["user_id", "decided_by"],
  order_event: ["user_id"],
  order_message: ["user_id"],
  order_reading: ["user_id"],
  order_pin: ["user_id", "settled_by"],
  order_pin_answer: ["user_id"],
  order_template: ["user_id"],
  order_lab_words: ["saved_by"],
  order_lab_template: ["added_by"],
  report: ["created_by", "saved_by", "signed_by", "ended_by"],
  notice: ["user_id"],
  audit: ["user_id"],
  received_orders: ["creator_id", "accepted_by"],
  received_order_revision: ["user_id", "decided_by"],
  received_order_file: ["added_by"],
  received_order_event: ["user_id"],
  received_order_message: ["user_id"],
};
/** Columns that contain institutions besides the owner's. */
const institutionReferences: Readonly<Record<string, readonly string[]>> = {
  relation: ["institution_id", "target_id", "left_by"],
  orders: ["receiver_id"],
  order_file: ["owner_id"],
  order_template: ["target_id"],
  received_orders: ["institution_id"],
  received_order_file: ["owner_id"],
};
export const personReferenceColumns = (table: string): readonly string[] => personReferences[table] ?? [];
export const institutionReferenceColumns = (table: string): readonly string[] => institutionReferences[table] ?? [];

const allTables = [...archiveTables, ...readOnlyTables];
const referencedIds = (columns: Readonly<Record<string, readonly string[]>>, at: RawBuilder<string>) =>
  sql.join(
    allTables.flatMap((table) =>
      (columns[table.name] ?? []).map(
        (column) =>
          sql`select t.${sql.ref(column)} from ${sql.table("of" in table ? (table.of as string) : table.name)} t where ${table.rows(at)}`,
      ),
    ),
    sql` union `,
  );

/** The people whom the rows name, with the names that they show. */
export const referencedPeople = (at: RawBuilder<string>) =>
  sql`select jsonb_build_object('id', u.id, 'user_name', u.user_name, 'nick_name', u.nick_name, 'language', u.language)::text as line
    from users u where u.id in (${referencedIds(personReferences, at)}) order by u.id`;

/** Other institutions that the rows name, as a directory shows them. */
export const referencedInstitutions = (at: RawBuilder<string>) =>
  sql`select jsonb_build_object('id', i.id, 'number', i.number, 'name', i.name, 'type', i.type, 'country', i.country)::text as line
    from institution i where i.id <> ${at} and i.id in (${referencedIds(institutionReferences, at)}) order by i.id`;
