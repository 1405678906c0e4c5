import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { isTimeZone, zoneOfCountry } from "@arcada/contract/kernel/time-zone";
import type { Db } from "../platform/database/database.ts";
import { selectValue } from "../platform/database/select-value.ts";

/** The columns of an institution that determine the zone in which its days begin. */
export interface ZoneColumns {
  time_zone: string | null;
  country: string;
}
/** Returns the zone that an institution chose, else its country's. */
export const resolveZone = ({ time_zone, country }: ZoneColumns): string =>
  time_zone !== null && isTimeZone(time_zone) ? time_zone : zoneOfCountry(country);

/** Returns an institution's zone for jobs and documents, which have no session that holds it. */
export async function readInstitutionZone(db: Db, iid: string): Promise<string> {
  const row = await db
    .selectFrom("institution")
    .select(["time_zone", "country"])
    .where("id", "=", iid)
    .executeTakeFirstOrThrow();
  return resolveZone(row);
}

/** True if the database knows this zone, too: its tables may be older than those of Node. */
export const isZoneInDatabase = (db: Db, zone: string): Promise<boolean> =>
  selectValue(db, sql<boolean>`arcada_is_zone(${zone})`);

/**
 * Returns the instant at which a calendar day begins in a zone, or one so many days later. The database computes it: at
 * the ends of the calendar a zone leads to years that JavaScript does not write, and a day of 23 or 25 hours counts as
 * one.
 */
export const startOfDay = (zone: string, day: string, daysLater = 0): RawBuilder<string> =>
  sql<string>`((${day}::date + ${daysLater}::int)::timestamp at time zone ${zone}::text)`;

/** Returns a zone's local time at an instant, as a timestamp without time zone. */
export const localTimeAt = (zone: string, instant: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(${instant} at time zone ${zone}::text)`;
/** Returns the calendar day in a zone at an instant. */
export const localDayAt = (zone: string, instant: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(${instant} at time zone ${zone}::text)::date`;
