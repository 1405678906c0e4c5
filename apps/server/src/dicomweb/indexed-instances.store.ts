import { sql, type RawBuilder } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import type { Level, SearchQuery } from "./qido/parse-query.ts";

/** The study, series and instance that the path of a request names. */
export interface ResourcePath {
  study?: string;
  series?: string;
  instance?: string;
}

const levelTables: Record<Level, RawBuilder<unknown>> = {
  study: sql`dicom_study_living d`,
  series: sql`dicom_study_living d join dicom_series r on r.institution_id = d.institution_id and r.study_id = d.study_id`,
  instance: sql`dicom_study_living d join dicom_series r on r.institution_id = d.institution_id and r.study_id = d.study_id
    join dicom_instance i on i.institution_id = r.institution_id and i.study_id = r.study_id and i.series_uid = r.uid`,
};
const levelOrder: Record<Level, RawBuilder<unknown>> = {
  study: sql`d.study_date desc nulls last, d.study_id desc`,
  series: sql`d.study_date desc nulls last, d.study_id desc, r.number nulls last, r.uid`,
  instance: sql`d.study_date desc nulls last, d.study_id desc, r.number nulls last, r.uid, i.number nulls last, i.uid`,
};
/** Instances with different bytes under one UID count once: the first that arrived. */
const firstOfUid = sql`not exists (select from dicom_instance e where e.institution_id = i.institution_id
  and e.study_id = i.study_id and e.series_uid = i.series_uid and e.uid = i.uid and e.instance_id < i.instance_id)`;

export interface SearchRow {
  study: string;
  series: string | null;
  instance: string | null;
}

/** Returns the attributes of the matches, one text for each level. */
export async function searchIndex(
  db: Db,
  level: Level,
  resource: ResourcePath,
  query: SearchQuery,
): Promise<SearchRow[]> {
  const conditions = [...pathConditions(resource, level), ...query.conditions];
  const where = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
  // Planning takes ten times as long as execution, but only a few shapes of a search are worth a prepared statement in
  // memory.
  const statementPrefix = query.conditions.length <= 1 && !query.varies ? prepared : sql``;
  const page = sql`order by ${levelOrder[level]} limit ${query.limit} offset ${query.offset}`;
  if (level === "study") {
    // Rows before the page are read from the index alone.
    const { rows } =
      await sql<SearchRow>`${statementPrefix} select d.attributes as study, null as series, null as instance
      from (select d.study_id from dicom_study_living d where ${where} ${page}) page
        join dicom_study_living d on d.study_id = page.study_id order by ${levelOrder.study}`.execute(db);
    return rows;
  }
  const instance = level === "instance" ? (query.all ? sql`i.metadata` : sql`i.attributes`) : sql`null`;
  const { rows } =
    await sql<SearchRow>`${statementPrefix} select d.attributes as study, r.attributes as series, ${instance} as instance
    from ${levelTables[level]} where ${where} ${page}`.execute(db);
  return rows;
}

const pathConditions = (resource: ResourcePath, level: Level): RawBuilder<unknown>[] => [
  ...(resource.study === undefined ? [] : [sql`d.uid = ${resource.study}`]),
  ...(resource.series === undefined ? [] : [sql`r.uid = ${resource.series}`]),
  ...(resource.instance === undefined ? [] : [sql`i.uid = ${resource.instance}`]),
  ...(level === "instance" ? [firstOfUid] : []),
];

export interface StoredInstance {
  studyId: string;
  uid: string;
  sopClass: string;
  syntax: string;
  frames: number;
  sha256: string;
  bytes: number;
  framesAt: number | null;
  frameBytes: number | null;
}
const instanceColumns = sql`i.study_id as "studyId", i.uid, i.sop_class as "sopClass", i.syntax, i.frames, i.sha256, i.bytes,
  i.frames_at as "framesAt", i.frame_bytes as "frameBytes"`;

/** Returns the instances below a path, ordered by series number and instance number. */
export const listStoredInstances = (db: Db, resource: ResourcePath, limit?: number): Promise<StoredInstance[]> =>
  queryVisibleInstances<StoredInstance>(db, resource, instanceColumns, limit);

export const listMetadata = (
  db: Db,
  resource: ResourcePath,
): Promise<{ studyId: string; metadata: string; sha256: string }[]> =>
  queryVisibleInstances(db, resource, sql`i.study_id as "studyId", i.metadata, i.sha256`);

async function queryVisibleInstances<T>(
  db: Db,
  resource: ResourcePath,
  wanted: RawBuilder<unknown>,
  limit?: number,
): Promise<T[]> {
  const { study, series, instance } = resource;
  // A viewer that reads a volume sends this query hundreds of times in a row.
  const text =
    instance === undefined
      ? sql<T>`${prepared} select ${wanted} from dicom_instance_living i
          join dicom_series r on r.institution_id = i.institution_id and r.study_id = i.study_id and r.uid = i.series_uid
          where i.study_uid = ${study}${series === undefined ? sql`` : sql` and i.series_uid = ${series}`} and ${firstOfUid}
          order by r.number nulls last, r.uid, i.number nulls last, i.uid limit ${limit ?? null}`
      : sql<T>`${prepared} select ${wanted} from dicom_instance_living i
          where i.study_uid = ${study} and i.series_uid = ${series} and i.uid = ${instance} order by i.instance_id limit 1`;
  return (await text.execute(db)).rows;
}
