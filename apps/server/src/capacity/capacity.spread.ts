import { dayIn } from "@arcada/contract/kernel/time-zone";
import { audit } from "../kernel/audit.ts";
import { beyondWall } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { tell, tellTabs } from "../kernel/events.ts";
import type { CapacityNews } from "../kernel/events.ts";
import { zoneOf } from "../kernel/time-zone.ts";

export interface Taken {
  institution: string;
  /** A row of the table of capacity, or what was asked for and decided beside it. */
  action: string;
  subject: string;
  by: { uid: string; address: string } | null;
}

/** One step that was taken: the organisation's audit trail, open tabs of its own and of the operator, and notices where the table names them. */
export async function spread(
  db: Db,
  { institution, action, subject, by }: Taken,
  news: { what: CapacityNews; gigabytes: number; analyses: number; until: string | null } | null,
): Promise<void> {
  await beyondWall(db, () =>
    audit(db, {
      institution_id: institution,
      user_id: by?.uid ?? null,
      action: `capacity.${action}`,
      subject,
      address: by?.address ?? null,
    }),
  );
  await tellTabs(db, { institutions: [institution], service: true }, "capacity", subject);
  if (!news) return;
  const house = await beyondWall(db, () =>
    db
      .selectFrom("institution")
      .select(["name", "time_zone", "country"])
      .where("id", "=", institution)
      .executeTakeFirstOrThrow(),
  );
  const { what, gigabytes, analyses, until } = news;
  await tell(db, {
    name: "capacityMoved",
    what,
    institution,
    institutionName: house.name,
    gigabytes,
    analyses,
    until: until === null ? "" : dayIn(zoneOf(house), until),
    by: by?.uid ?? null,
  });
}
