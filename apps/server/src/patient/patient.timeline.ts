import { sql } from "kysely";
import { z } from "zod";
import { builtInEngine } from "@arcada/contract/analysis/analysis.calls";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import { timestampInput } from "@arcada/contract/kernel/fields";
import {
  timelineKinds,
  type patientRecordCalls,
  type TimelineKind,
} from "@arcada/contract/patient/patient-timeline-and-erasure.calls";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";

type Timeline = Output<typeof patientRecordCalls.timeline>;
type TimelineRow = Timeline["list"][number];
type Query = Omit<Parsed<typeof patientRecordCalls.timeline>, "id">;

/** Returns the events of a patient, newest first, of the given kinds; without any kind, of all. */
export async function loadTimeline(db: Db, iid: string, id: string, query: Query): Promise<Timeline> {
  const { kinds = [], cursor, pageSize } = query;
  const wanted: readonly TimelineKind[] = kinds.length > 0 ? kinds : timelineKinds;
  const after = cursor === undefined ? null : readCursor(cursor);
  const parts = [...new Set(wanted)].map((kind) => sql`(${timelineSources[kind](iid, id)})`);
  const { rows } = await sql<TimelineRow>`select time, kind, id, label, study_id as "studyId"
    from (${sql.join(parts, sql` union all `)}) happened (time, kind, id, label, study_id)
    ${after ? sql`where (time, id) < (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by time desc, id desc limit ${pageSize + 1}`.execute(db);
  const list = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? list.at(-1) : undefined;
  return { list, next: last ? Buffer.from(JSON.stringify([last.time, last.id])).toString("base64url") : null };
}

// Instants travel to the millisecond: a page begins exactly behind the row that the cursor names.
const timeColumn = (column: string) => sql`${sql.ref(column)}::timestamptz(3)`;
const noStudy = sql`null::uuid`;
const timelineSources: Record<TimelineKind, (iid: string, id: string) => ReturnType<typeof sql>> = {
  created: (iid, id) => sql`select ${timeColumn("created_at")}, 'created', id, number, ${noStudy} from patient
    where institution_id = ${iid} and id = ${id}`,
  study: (iid, id) => sql`select ${timeColumn("created_at")}, 'study', id, kind, id from study
    where institution_id = ${iid} and patient_id = ${id} and deleted_at is null`,
  order: (iid, id) => sql`select ${timeColumn("created_at")}, 'order', id, number, ${noStudy} from orders
    where institution_id = ${iid} and patient_id = ${id}`,
  visit: (iid, id) => sql`select ${timeColumn("at")}, 'visit', id,
      left(coalesce(nullif(content ->> 'diagnosis', ''), nullif(content ->> 'complaint', ''), ''), 80), ${noStudy} from visit
    where institution_id = ${iid} and patient_id = ${id} and deleted_at is null`,
  analysis: (iid, id) => sql`select ${timeColumn("a.created_at")}, 'analysis', a.id,
      case when a.engine ->> 'kind' = 'measurement' then ${builtInEngine} else a.engine_id end, a.study_id from analysis a
    join study s on s.institution_id = a.institution_id and s.id = a.study_id and s.deleted_at is null
    where a.institution_id = ${iid} and s.patient_id = ${id} and a.state = 'done'`,
  tracing: (iid, id) => sql`select ${timeColumn("c.saved_at")}, 'tracing', c.id, '', c.study_id from ceph_tracing c
    join study s on s.institution_id = c.institution_id and s.id = c.study_id and s.deleted_at is null
    where c.institution_id = ${iid} and c.patient_id = ${id}`,
  report: (iid, id) => sql`select coalesce(signed_at, created_at), 'report', id, number, ${noStudy} from report
    where institution_id = ${iid} and patient_id = ${id}`,
  consent: (iid, id) => sql`select given_at, 'consent', id, kind, ${noStudy} from consent
      where institution_id = ${iid} and patient_id = ${id}
    union all select withdrawn_at, 'consent', id, 'withdrawn.' || kind, ${noStudy} from consent
      where institution_id = ${iid} and patient_id = ${id} and withdrawn_at is not null`,
  merge: (iid, id) => sql`select ${timeColumn("m.merged_at")}, 'merge', m.id, p.number, ${noStudy} from patient_merge m
    join patient p on p.institution_id = m.institution_id and p.id = m.merged_id
    where m.institution_id = ${iid} and m.kept_id = ${id} and m.undone_at is null`,
};

const cursorShape = z.tuple([timestampInput, z.uuid()]);
function readCursor(text: string): { time: string; id: string } {
  const read = cursorShape.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  return read.success ? { time: read.data[0], id: read.data[1] } : refuse("badInput", { cursor: "cursorUnknown" });
}
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
