import { dashboardRules, findBucketUnit, listBuckets } from "@arcada/contract/dashboard/trend-buckets";
import type { WorkloadOverTime } from "@arcada/contract/dashboard/trends.schema";
import { startOfDay } from "../domain/institution-time-zone.ts";
import type { Db } from "../platform/database/database.ts";
import type { DashboardSubject, Period } from "./dashboard.store.ts";
import { countOpenSpans, listPersonNames } from "./trends.store.ts";
import type { OpenSpan } from "./trends.store.ts";

/** Returns the open orders of each person at the end of each week or month of a period. */
export async function loadWorkloadOverTime(
  db: Db,
  subject: DashboardSubject,
  period: Period,
): Promise<WorkloadOverTime> {
  const unit = findBucketUnit(period);
  const buckets = listBuckets(period, unit).map(({ from, to }) => ({ from, to }));
  const spans = await countOpenSpans(
    db,
    subject,
    buckets.map(({ to }) => startOfDay(period.zone, to, 1)),
  );
  const byPerson = Map.groupBy(spans, ({ person }) => person);
  const ids = [...byPerson.keys()];
  const names = await listPersonNames(
    db,
    ids.filter((id) => id !== null),
  );
  const people = ids
    .map((id) => ({
      id,
      name: (id === null ? undefined : names.get(id)) ?? "",
      open: buckets.map((_, place) => countOpenAt(byPerson.get(id) ?? [], place)),
    }))
    .toSorted((one, other) => sum(other.open) - sum(one.open) || one.name.localeCompare(other.name))
    .slice(0, dashboardRules.maxPeople);
  return { unit, buckets, people };
}

/** An order is open at an end if it arrived after fewer ends, and leaves after more of them. */
const countOpenAt = (spans: readonly OpenSpan[], place: number): number =>
  sum(spans.filter(({ arrived, left }) => arrived <= place && (left === null || left > place)).map(({ n }) => n));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
