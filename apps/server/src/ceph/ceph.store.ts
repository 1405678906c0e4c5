import { sql } from "kysely";
import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { ImageInfo } from "../tables/study-columns.ts";
import type { Column, Row } from "../tables/row.ts";

/** An image that the caller may see, and its patient. */
export interface RadiographRow {
  iid: string;
  patientId: string | null;
  studyId: string;
  instanceId: string;
  name: string;
  picture: ImageInfo;
  takenAt: string | null;
  createdAt: string;
  thumbnail: string | null;
  /** True if it was compressed with loss when it was stored. */
  isLossy: boolean;
}
export type CephPatientRow = Row<"patient", "name" | "number" | "sex" | "birth_date" | "age_given" | "age_given_on">;
export type TracingRow = Row<"ceph_tracing", "id" | "version" | "content"> & {
  savedAt: Column<"ceph_tracing", "saved_at">;
  savedBy: Column<"users", "nick_name">;
};

const radiographColumns = sql`s.institution_id as iid, s.patient_id as "patientId", s.id as "studyId", i.id as "instanceId", i.name,
  i.picture, s.taken_at as "takenAt", s.created_at as "createdAt", i.thumbnail,
  exists (select from series r where r.institution_id = i.institution_id and r.id = i.series_id
    and r.problems @> '[{"code": "lossy"}]') as "isLossy"`;

/**
 * Returns a radiograph of the caller's institution, or one from an order: row-level security hides all others.
 * Radiographs in the recycle bin are not found.
 */
export async function findRadiograph(db: Db, instanceId: string): Promise<RadiographRow | undefined> {
  const { rows } = await sql<RadiographRow>`select ${radiographColumns} from study s
    join instance i on i.institution_id = s.institution_id and i.study_id = s.id and i.picture is not null
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    where i.id = ${instanceId} and s.deleted_at is null and p.deleted_at is null`.execute(db);
  return rows[0];
}

export async function findPatient(db: Db, iid: string, patientId: string): Promise<CephPatientRow | undefined> {
  const { rows } = await sql<CephPatientRow>`select name, number, sex, birth_date, age_given, age_given_on from patient
    where institution_id = ${iid} and id = ${patientId} and deleted_at is null`.execute(db);
  return rows[0];
}

/** Returns the images of a patient's lateral cephalograms, the newest first. */
export async function listRadiographs(
  db: Db,
  iid: string,
  patientId: string,
): Promise<(RadiographRow & { tracing: TracingRow | null })[]> {
  const { rows } = await sql<RadiographRow & { tracing: TracingRow | null }>`select ${radiographColumns},
    case when t.id is null then null else jsonb_build_object('id', t.id, 'version', t.version, 'content', t.content,
      'savedAt', t.saved_at, 'savedBy', u.nick_name) end as tracing
    from study s join instance i on i.institution_id = s.institution_id and i.study_id = s.id and i.picture is not null
    left join ceph_tracing t on t.institution_id = i.institution_id and t.instance_id = i.id
    left join users u on u.id = t.saved_by
    where s.institution_id = ${iid} and s.patient_id = ${patientId} and s.deleted_at is null
      and (s.kind = 'lateralCeph' or t.id is not null)
    order by coalesce(s.taken_at, s.created_at) desc, i.place, i.id limit 200`.execute(db);
  return rows;
}

const tracingColumns = sql`t.version, t.content, t.saved_at as "savedAt", u.nick_name as "savedBy"`;

export async function findTracing(
  db: Db,
  { iid, instanceId }: Pick<RadiographRow, "iid" | "instanceId">,
): Promise<TracingRow | undefined> {
  const { rows } =
    await sql<TracingRow>`select t.id, ${tracingColumns} from ceph_tracing t join users u on u.id = t.saved_by
    where t.institution_id = ${iid} and t.instance_id = ${instanceId}`.execute(db);
  return rows[0];
}

/** Returns a tracing as it was saved in an earlier version. */
export async function findTracingVersion(
  db: Db,
  { iid, instanceId }: Pick<RadiographRow, "iid" | "instanceId">,
  version: number,
): Promise<TracingRow | undefined> {
  const { rows } = await sql<TracingRow>`select t.tracing_id as id, ${tracingColumns} from ceph_tracing_version t
    join users u on u.id = t.saved_by where t.institution_id = ${iid} and t.instance_id = ${instanceId}
      and t.version = ${version} order by t.saved_at desc limit 1`.execute(db);
  return rows[0];
}

export async function listVersions(
  db: Db,
  { iid, instanceId }: Pick<RadiographRow, "iid" | "instanceId">,
): Promise<TracingRow[]> {
  const { rows } = await sql<TracingRow>`select ${tracingColumns} from (
      select version, content, saved_at, saved_by from ceph_tracing where institution_id = ${iid} and instance_id = ${instanceId}
      union all select version, content, saved_at, saved_by from ceph_tracing_version
        where institution_id = ${iid} and instance_id = ${instanceId}) t
    join users u on u.id = t.saved_by order by t.saved_at desc, t.version desc limit 500`.execute(db);
  return rows;
}

/** Saves a tracing; false if someone has saved or removed it since `version`. */
export async function saveTracing(
  db: Db,
  radiograph: RadiographRow,
  { uid, version, content }: { uid: string; version: number; content: CephContent },
): Promise<boolean> {
  await keepVersion(db, radiograph, version);
  // A removed tracing continues its version count, so that no version means two things.
  const { rows } = await sql`insert into ceph_tracing
      (institution_id, id, patient_id, study_id, instance_id, version, content, saved_by)
    select ${radiograph.iid}, ${newId()}, ${radiograph.patientId}, ${radiograph.studyId}, ${radiograph.instanceId},
      1 + coalesce((select max(v.version) from ceph_tracing_version v
        where v.institution_id = ${radiograph.iid} and v.instance_id = ${radiograph.instanceId}), 0),
      ${JSON.stringify(content)}::jsonb, ${uid}
    where ${version}::int = 0 or exists (select from ceph_tracing
      where institution_id = ${radiograph.iid} and instance_id = ${radiograph.instanceId})
    on conflict (institution_id, instance_id) do update
      set version = ceph_tracing.version + 1, content = excluded.content, saved_by = excluded.saved_by, saved_at = now()
      where ceph_tracing.version = ${version}
    returning version`.execute(db);
  return rows.length > 0;
}

export async function removeTracing(db: Db, radiograph: RadiographRow, version: number): Promise<boolean> {
  await keepVersion(db, radiograph, version);
  const deleted = await sql`delete from ceph_tracing
    where institution_id = ${radiograph.iid} and instance_id = ${radiograph.instanceId} and version = ${version}`.execute(
    db,
  );
  return deleted.numAffectedRows === 1n;
}

const keepVersion = (db: Db, { iid, instanceId }: RadiographRow, version: number) =>
  sql`insert into ceph_tracing_version
      (institution_id, tracing_id, version, study_id, instance_id, content, saved_by, saved_at)
    select institution_id, id, version, study_id, instance_id, content, saved_by, saved_at from ceph_tracing
    where institution_id = ${iid} and instance_id = ${instanceId} and version = ${version}
    on conflict do nothing`.execute(db);

export type ObservationRow = Row<"observation", "method" | "code" | "value" | "geometry"> & {
  /** The analysis that made the observation. */
  run: Column<"analysis", "id">;
};
/** Returns the observations of engines on this cephalogram, the latest last. */
export async function listObservations(
  db: Db,
  { iid, instanceId }: Pick<RadiographRow, "iid" | "instanceId">,
): Promise<ObservationRow[]> {
  const { rows } = await sql<ObservationRow>`select a.id as run, o.method, o.code, o.value, o.geometry from analysis a
    join observation o on o.institution_id = a.institution_id and o.analysis_id = a.id
    where a.institution_id = ${iid} and a.instance_id = ${instanceId} and a.state = 'done' and o.code like 'CEPH\\_%'
    order by a.ended_at, o.place`.execute(db);
  return rows;
}

/** Returns the hash of the radiograph's file for viewers; null if the file must be derived again. */
export async function findImageHash(
  db: Db,
  { iid, instanceId }: Pick<RadiographRow, "iid" | "instanceId">,
): Promise<string | null> {
  const { rows } = await sql<Row<"converted_file", "sha256">>`select sha256 from converted_file
    where institution_id = ${iid} and owner_id = ${instanceId} and role = 'picture' and place = 0`.execute(db);
  return rows[0]?.sha256 ?? null;
}

export interface CephInstitution {
  name: string;
  zone: string;
  country: string;
}
export async function loadInstitution(db: Db, iid: string): Promise<CephInstitution> {
  const { name, ...zone } = await db
    .selectFrom("institution")
    .select(["name", "time_zone", "country"])
    .where("id", "=", iid)
    .executeTakeFirstOrThrow();
  return { name, zone: resolveZone(zone), country: zone.country };
}
