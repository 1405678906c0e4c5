import { sql, type ExpressionBuilder } from "kysely";
import { geometry, target } from "@arcada/contract/analysis/observation";
import type { ChartDecision } from "@arcada/contract/chart/chart.calls";
import type { Db } from "../platform/database/database.ts";
import type { PatientKey } from "./chart.store.ts";
import type { Column, Row } from "../tables/row.ts";
import type { Tables } from "../tables/schema.generated.ts";

/** An observation of an engine, and the image in which it was made. */
export type ImageObservation = Row<"observation", "id" | "code" | "target" | "value" | "geometry"> & {
  imageSha256: Column<"analysis", "image_sha256">;
  studyId: Column<"analysis", "study_id">;
  /** Null: a volume. */
  instanceId: Column<"analysis", "instance_id">;
};

/** Returns those of these observations that are on this patient's images. */
export async function loadObservations(
  db: Db,
  { iid, patientId }: PatientKey,
  ids: string[],
): Promise<Map<string, ImageObservation>> {
  const { rows } = await sql<ImageObservation>`
    select o.id, o.code, o.target, o.value, o.geometry, a.image_sha256 as "imageSha256", a.study_id as "studyId",
      a.instance_id as "instanceId"
    from observation o
    join analysis a on a.institution_id = o.institution_id and a.id = o.analysis_id
    join study s on s.institution_id = a.institution_id and s.id = a.study_id
    where o.institution_id = ${iid} and o.id = any(${ids}::uuid[]) and s.patient_id = ${patientId} and s.deleted_at is null`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, target: target.parse(row.target), geometry: row.geometry && geometry.parse(row.geometry) },
    ]),
  );
}

const isSameTarget =
  ({ iid, patientId }: PatientKey, { imageSha256, code, target: of }: ImageObservation) =>
  (one: ExpressionBuilder<Tables, "chart_decision">) =>
    one.and([
      one("institution_id", "=", iid),
      one("patient_id", "=", patientId),
      one("image_sha256", "=", imageSha256),
      one("code", "=", code),
      one("target", "=", of),
    ]);

/** A decision as it was made: the finding and the tooth of the chart that it wrote. */
export interface EarlierDecision {
  findingId: Column<"chart_decision", "finding_id">;
  fdi: Column<"chart_decision", "fdi">;
  uid: Column<"chart_decision", "by_user">;
  at: Column<"chart_decision", "at">;
}
const decisionColumns = ["finding_id as findingId", "fdi", "by_user as uid", "at"] as const;

/** Returns an earlier decision on the same thing in the same image. */
export async function findDecision(
  db: Db,
  patientKey: PatientKey,
  observation: ImageObservation,
): Promise<EarlierDecision | undefined> {
  return db
    .selectFrom("chart_decision")
    .select(decisionColumns)
    .where(isSameTarget(patientKey, observation))
    .executeTakeFirst();
}

/** Returns the newest decision on something else that took the same kind of observation over for this tooth. */
export async function findOtherAcceptance(
  db: Db,
  patientKey: PatientKey,
  observation: ImageObservation,
  fdi: number,
): Promise<EarlierDecision | undefined> {
  return db
    .selectFrom("chart_decision")
    .select(decisionColumns)
    .where("institution_id", "=", patientKey.iid)
    .where("patient_id", "=", patientKey.patientId)
    .where("code", "=", observation.code)
    .where("fdi", "=", fdi)
    .where("decision", "<>", "reject")
    .where((one) => one.not(isSameTarget(patientKey, observation)(one)))
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
}

interface DecisionInput {
  decision: ChartDecision;
  findingId: string | null;
  /** The tooth that it was accepted for; null: rejected. */
  fdi: number | null;
  uid: string;
  at: string;
}
export async function saveDecision(
  db: Db,
  { iid, patientId }: PatientKey,
  { id, imageSha256, code, target: of }: ImageObservation,
  { decision, findingId, fdi, uid, at }: DecisionInput,
): Promise<void> {
  const reason = decision.action === "reject" ? decision.reason : null;
  const decided = decision.action === "renumber" ? "edit" : decision.action;
  await sql`insert into chart_decision
      (institution_id, patient_id, image_sha256, code, target, observation_id, decision, reason, finding_id, fdi, by_user, at)
    values (${iid}, ${patientId}, ${imageSha256}, ${code}, ${JSON.stringify(of)}::jsonb, ${id}, ${decided}, ${reason},
      ${findingId}, ${fdi}, ${uid}, ${at})
    on conflict (institution_id, patient_id, image_sha256, code, target) do update
      set observation_id = excluded.observation_id, decision = excluded.decision, reason = excluded.reason,
        finding_id = coalesce(excluded.finding_id, chart_decision.finding_id), fdi = excluded.fdi,
        by_user = excluded.by_user, at = excluded.at`.execute(db);
}
