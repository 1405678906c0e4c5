import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import { capacityChanged } from "./capacity.events.ts";
import type { CapacityNews } from "./capacity.events.ts";

export interface CapacityTransition {
  institution: string;
  /** A row of the transition table of capacity, or a request or decision outside the table. */
  action: string;
  subject: string;
  by: { uid: string; address: string } | null;
}

/**
 * Reports one step that was taken: to the institution's audit log, to open clients of the institution and of the
 * operator, and by notices if the table names them.
 */
export async function publishCapacityTransition(
  db: Db,
  { institution, action, subject, by }: CapacityTransition,
  news: { what: CapacityNews; gigabytes: number; analyses: number; until: string | null } | null,
): Promise<void> {
  await bypassTenantScope(db, () =>
    audit(db, {
      institution_id: institution,
      user_id: by?.uid ?? null,
      action: `capacity.${action}`,
      subject,
      address: by?.address ?? null,
    }),
  );
  await notifyClients(db, { institutions: [institution], service: true }, "capacity", subject);
  if (!news) return;
  const institutionRow = await bypassTenantScope(db, () =>
    db
      .selectFrom("institution")
      .select(["name", "time_zone", "country"])
      .where("id", "=", institution)
      .executeTakeFirstOrThrow(),
  );
  const { what, gigabytes, analyses, until } = news;
  await publish(db, capacityChanged, {
    what,
    institution,
    institutionName: institutionRow.name,
    gigabytes,
    analyses,
    until: until === null ? "" : localDayIn(resolveZone(institutionRow), until),
    by: by?.uid ?? null,
  });
}
