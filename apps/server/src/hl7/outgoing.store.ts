import { sql } from "kysely";
import type { Hl7Problem } from "@arcada/contract/hl7/hl7.rules";
import type { Database, Db } from "../platform/database/database.ts";

export interface ClaimedMessage {
  iid: string;
  id: string;
  tries: number;
  connectionId: string;
  controlId: string;
  reportId: string;
  patientId: string;
}

/**
 * Begins an attempt; null if nothing is to be done any more, or not yet: the job of an earlier delay is left over after a
 * retry by hand. A job whose process died, `isRepeated`, continues what it began.
 */
export const claimMessage = (
  database: Database,
  iid: string,
  id: string,
  isRepeated: boolean,
): Promise<ClaimedMessage | null> =>
  database.asSystem(async (db) => {
    const row = await db
      .updateTable("hl7_message")
      .set((of) => ({ state: "sending", tries: of("tries", "+", 1) }))
      .where("institution_id", "=", iid)
      .where("id", "=", id)
      .where((of) =>
        of.or([
          of.and([of("state", "=", "queued"), of("next_at", "<=", of.fn<string>("now"))]),
          ...(isRepeated ? [of("state", "=", "sending")] : []),
        ]),
      )
      .returning(["tries", "connection_id as connectionId", "control_id as controlId"])
      .returning(["report_id as reportId", "patient_id as patientId"])
      .executeTakeFirst();
    if (!row?.reportId || !row.patientId) return null;
    return { ...row, iid, id, reportId: row.reportId, patientId: row.patientId };
  });

interface AttemptResult {
  state: "sent" | "failed" | "queued";
  problem: Hl7Problem | null;
  detail: string | null;
  /** Seconds until the next attempt. */
  delay: number;
}

export const finishAttempt = (db: Db, { iid, id }: Pick<ClaimedMessage, "iid" | "id">, result: AttemptResult) =>
  db
    .updateTable("hl7_message")
    .set({
      state: result.state,
      problem: result.problem,
      detail: result.detail?.slice(0, 500) ?? null,
      next_at: sql<string>`now() + make_interval(secs => ${result.delay})`,
      finished_at: result.state === "queued" ? null : sql<string>`now()`,
    })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("state", "=", "sending")
    .execute();

/** Begins the attempts anew. One that is in progress is not changed. */
export const restartMessage = (db: Db, iid: string, id: string) =>
  db
    .updateTable("hl7_message")
    .set({ state: "queued", tries: 0, next_at: sql<string>`now()`, problem: null, detail: null, finished_at: null })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("direction", "=", "out")
    .where("state", "in", ["queued", "failed", "cancelled"])
    .execute();
