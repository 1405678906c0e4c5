import { sql, type RawBuilder, type Selectable } from "kysely";
import { analysisLifecycle, type AnalysisAction } from "@arcada/contract/analysis/analysis.lifecycle";
import type { AnalysisError } from "@arcada/contract/analysis/analysis.rules";
import { analysisRules } from "@arcada/contract/analysis/analysis.rules";
import type { Abstention, Observation } from "@arcada/contract/analysis/observation";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import type { AnalysisArtefactTable, AnalysisTable, ObservationTable } from "../../tables/schema.generated.ts";
import type { Column, Row } from "../../tables/row.ts";

export type AnalysisRecord = Selectable<AnalysisTable>;
/** An analysis with the data that people read about it. */
export interface ListedAnalysis extends AnalysisRecord {
  patient_id: string | null;
  study_kind: StudyKind;
  taken_at: string | null;
  thumbnail: string | null;
  starter: string | null;
  observations: number;
  open: number;
  /** Degrees clockwise that put an intra-oral film upright; null if the engine does not tell. */
  turn: number | null;
}

/** The suggestions of an engine that a dentist decides on: findings, and the box of a tooth. */
const isSuggestion = sql`(o.code like 'FINDING\_%' or o.code in ('TOOTH_BOX', 'TOOTH_MISSING'))`;
/**
 * The decision about an observation `o` of analysis `a` in a study `s`: it holds for the image, whichever engine made
 * the observation.
 */
const decided = sql`d.institution_id = a.institution_id and d.patient_id = s.patient_id and d.image_sha256 = a.image_sha256
  and d.code = o.code and d.target = o.target`;

const listed = sql`select a.*, s.patient_id, s.kind as study_kind, s.taken_at, u.nick_name as starter,
    coalesce(i.thumbnail, r.thumbnail) as thumbnail, seen.observations, seen.open, seen.turn
  from analysis a join study s on s.institution_id = a.institution_id and s.id = a.study_id and s.deleted_at is null
    join series r on r.institution_id = a.institution_id and r.id = a.series_id
    left join instance i on i.institution_id = a.institution_id and i.id = a.instance_id
    left join users u on u.id = a.started_by
    cross join lateral (select count(*)::int as observations, count(*) filter (where ${isSuggestion}
        and not exists (select from chart_decision d where ${decided}))::int as open,
        max(case when o.value = any('{0,90,180,270}'::jsonb[]) then o.value::int end)
          filter (where o.code = 'FILM_TURN') as turn
      from observation o where o.institution_id = a.institution_id and o.analysis_id = a.id) seen`;

const maxListed = 200;
export async function listAnalyses(
  db: Db,
  iid: string,
  input: { patientId: string; imageId?: string | undefined },
): Promise<ListedAnalysis[]> {
  const image = input.imageId ? sql`and ${input.imageId} in (a.instance_id, a.series_id)` : sql``;
  const { rows } = await sql<ListedAnalysis>`${listed} where a.institution_id = ${iid}
    and s.patient_id = ${input.patientId} ${image} order by a.created_at desc, a.id desc limit ${maxListed}`.execute(
    db,
  );
  return rows;
}

export async function findAnalyses(db: Db, iid: string, ids: readonly string[]): Promise<ListedAnalysis[]> {
  const { rows } = await sql<ListedAnalysis>`${listed} where a.institution_id = ${iid}
    and a.id = any(${[...ids]}::uuid[]) order by a.created_at, a.id`.execute(db);
  return rows;
}

export type ObservationRow = Selectable<ObservationTable> & {
  decision: Column<"chart_decision", "decision"> | null;
  decider: Column<"users", "nick_name"> | null;
  decided_at: Column<"chart_decision", "at"> | null;
  reason: Column<"chart_decision", "reason">;
};
export async function listObservations(db: Db, iid: string, id: string): Promise<ObservationRow[]> {
  const { rows } =
    await sql<ObservationRow>`select o.*, d.decision, u.nick_name as decider, d.at as decided_at, d.reason
    from analysis a join study s on s.institution_id = a.institution_id and s.id = a.study_id
      join observation o on o.institution_id = a.institution_id and o.analysis_id = a.id
      left join chart_decision d on ${decided} left join users u on u.id = d.by_user
    where a.institution_id = ${iid} and a.id = ${id} order by o.place`.execute(db);
  return rows;
}
export const listArtefacts = (db: Db, iid: string, id: string): Promise<Selectable<AnalysisArtefactTable>[]> =>
  db
    .selectFrom("analysis_artefact")
    .selectAll()
    .where("institution_id", "=", iid)
    .where("analysis_id", "=", id)
    .orderBy("code")
    .execute();

export type NewAnalysis = Pick<
  AnalysisRecord,
  | "institution_id"
  | "id"
  | "study_id"
  | "series_id"
  | "instance_id"
  | "image_sha256"
  | "engine_id"
  | "engine_version"
  | "engine"
  | "params_hash"
  | "cost"
  | "started_by"
>;
/** Inserts an analysis; null if the same request is running or was answered already. */
export async function insertAnalysis(db: Db, row: NewAnalysis): Promise<string | null> {
  const made = await db
    .insertInto("analysis")
    .values({ ...row, error: null, started_at: null, ended_at: null, held_until: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return made?.id ?? null;
}

type AnalysisRequest = Pick<
  AnalysisRecord,
  "institution_id" | "image_sha256" | "engine_id" | "engine_version" | "params_hash"
>;
/** Returns the analysis that answers this request, or will. */
export async function findSameAnalysis(db: Db, request: AnalysisRequest): Promise<string | null> {
  const { rows } = await sql<
    Row<"analysis", "id">
  >`select id from analysis where institution_id = ${request.institution_id}
    and image_sha256 = ${request.image_sha256} and engine_id = ${request.engine_id} and engine_version = ${request.engine_version}
    and params_hash = ${request.params_hash} and state in ('queued', 'running', 'done')`.execute(db);
  return rows[0]?.id ?? null;
}

export const leaseExtension = sql`held_until = now() + make_interval(secs => ${sql.lit(analysisRules.silenceSeconds)})`;

/** Makes one transition of the life cycle, only from its start state; undefined if someone else was faster. */
export async function transitionAnalysis(
  db: Db,
  { iid, id }: { iid: string; id: string },
  action: Exclude<AnalysisAction, "start">,
  more: RawBuilder<unknown> = sql``,
): Promise<AnalysisRecord | undefined> {
  const { from, to } = analysisLifecycle.steps[action];
  const { rows } = await sql<AnalysisRecord>`update analysis set state = ${to[0]!},
      ended_at = case when ${to[0]!} in ('done', 'failed', 'cancelled') then now() end ${more}
    where institution_id = ${iid} and id = ${id} and state = any(${[...from]}::text[]) returning *`.execute(db);
  if (rows[0]) await notifyClients(db, { institutions: [iid] }, "analysis", id);
  return rows[0];
}
export const withError = (error: AnalysisError) => sql`, error = ${error}`;

/** Reports that the analysis is being worked on; false if it was taken from its runner. */
export async function extendLease(
  db: Db,
  { iid, id }: { iid: string; id: string },
  progress: number,
): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`update analysis new set ${leaseExtension}, progress = ${progress}
    from (select institution_id, id, progress from analysis where institution_id = ${iid} and id = ${id}) old
    where new.institution_id = old.institution_id and new.id = old.id and new.state = 'running'
    returning new.progress - old.progress > 0.01 as moved`.execute(db);
  if (rows[0]?.moved) await notifyClients(db, { institutions: [iid] }, "analysis", id);
  return rows.length > 0;
}

export async function insertResults(
  db: Db,
  { iid, id }: { iid: string; id: string },
  seen: readonly Observation[],
  abstentions: readonly Abstention[],
): Promise<void> {
  await sql`insert into observation (institution_id, id, analysis_id, place, code, target, value, unit, geometry, confidence, method)
    select ${iid}, (o ->> 'id')::uuid, ${id}, place::int, o ->> 'code', o -> 'target', o -> 'value', o ->> 'unit',
      nullif(o -> 'geometry', 'null'), o -> 'confidence', o ->> 'method'
    from jsonb_array_elements(${JSON.stringify(seen)}::jsonb) with ordinality as l (o, place)`.execute(db);
  await sql`update analysis set abstentions = ${JSON.stringify(abstentions)}::jsonb
    where institution_id = ${iid} and id = ${id}`.execute(db);
}

/** Returns the analyses that nobody works on any more: their runner has died. */
export const listExpiredLeases = async (db: Db): Promise<{ iid: string; id: string }[]> =>
  (
    await sql<
      Row<"analysis", "id"> & { iid: Column<"analysis", "institution_id"> }
    >`select institution_id as iid, id from analysis
      where state = 'running' and held_until < now() limit 100 for update skip locked`.execute(db)
  ).rows;
