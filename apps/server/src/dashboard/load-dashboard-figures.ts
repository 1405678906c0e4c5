import { waitingAgeBands, openOrderStates } from "@arcada/contract/dashboard/dashboard.calls";
import type { OpenOrdersRow, dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { dashboardRules } from "@arcada/contract/dashboard/trend-buckets";
import type { DayRange } from "@arcada/contract/dashboard/trend-buckets";
import type { Output } from "@arcada/contract/kernel/call";
import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import type { Principal } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { countRepeats, countAnalyses, countOpen, listPartnerNames, measureDurations } from "./dashboard.store.ts";
import type { RepeatCount, DashboardSubject, Period, DurationStats } from "./dashboard.store.ts";

export type OpenOrders = Output<typeof dashboardCalls.open>;
export type PeriodFigures = Output<typeof dashboardCalls.period>;

export async function loadOpenOrders(db: Db, subject: DashboardSubject, zone: string): Promise<OpenOrders> {
  const { today, counts } = await countOpen(db, subject, zone);
  const rows = openOrderStates.map((state): OpenOrdersRow => {
    const own = counts.filter((one) => one.state === state);
    const sum = (some: typeof own) => some.reduce((total, { n }) => total + n, 0);
    return {
      state,
      ages: waitingAgeBands.map((_, place) => sum(own.filter(({ age }) => age === place))),
      mine: sum(own.filter(({ mine }) => mine)),
      all: sum(own),
    };
  });
  return { today, rows };
}

export const toPeriod = ({ timeZone: zone }: Principal, { from, to }: DayRange): Period => ({ from, to, zone });
/**
 * The figures of a clinic are those of the orders that it sent; of a lab, those of the orders that it received. Who does
 * not manage the institution sees the orders for which they are in charge.
 */
export const toDashboardSubject = ({ iid, uid, role }: Principal & { iid: string }): DashboardSubject => ({
  iid,
  side: roles[role].side === "lab" ? "receiver" : "sender",
  personId: managerRoles.some((manager) => manager === role) ? null : uid,
});

export async function loadFigures(db: Db, subject: DashboardSubject, period: Period): Promise<PeriodFigures> {
  const { spans, partners } = await measureDurations(db, subject, period);
  const { counts, latest } = await countRepeats(db, subject, period);
  const hasAnalyses = subject.side === "sender" && subject.personId === null;
  return {
    spans,
    partners: await loadPartners(db, partners, counts),
    redeliveries: sumCounts(counts, ({ kind }) => kind === "redelivery"),
    remakes: sumCounts(counts, ({ kind }) => kind === "remake"),
    causes: countCauses(counts),
    latest,
    ...(hasAnalyses ? await countAnalyses(db, subject.iid, period) : { analyses: null, measurements: null }),
  };
}

const sumCounts = (counts: readonly RepeatCount[], which: (one: RepeatCount) => boolean): number =>
  counts.reduce((sum, one) => (which(one) ? sum + one.n : sum), 0);
const noDurations: DurationStats = { count: 0, median: null, late: null };

async function loadPartners(
  db: Db,
  done: Map<string, DurationStats>,
  counts: readonly RepeatCount[],
): Promise<PeriodFigures["partners"]> {
  const repeats = Map.groupBy(counts, ({ partnerId }) => partnerId);
  const ids = [...new Set([...done.keys(), ...repeats.keys()])];
  const count = (id: string, kind: RepeatCount["kind"]) => sumCounts(repeats.get(id) ?? [], (one) => one.kind === kind);
  const topPartners = ids
    .map((id) => ({
      id,
      ...(done.get(id) ?? noDurations),
      redeliveries: count(id, "redelivery"),
      remakes: count(id, "remake"),
    }))
    .toSorted((one, other) => other.count - one.count || other.remakes - one.remakes || one.id.localeCompare(other.id))
    .slice(0, dashboardRules.maxPartners);
  const names = await listPartnerNames(
    db,
    topPartners.map(({ id }) => id),
  );
  return topPartners.map((one) => ({ ...one, name: names.get(one.id) ?? "" }));
}

/** Counts the remakes by cause and by the party that bears them, the largest count first. */
const countCauses = (counts: readonly RepeatCount[]): PeriodFigures["causes"] =>
  [
    ...Map.groupBy(
      counts.filter(({ kind }) => kind === "remake"),
      ({ cause, bears }) => `${cause} ${bears}`,
    ).values(),
  ]
    .map((same) => ({ cause: same[0]!.cause, bears: same[0]!.bears, count: sumCounts(same, () => true) }))
    .toSorted((one, other) => other.count - one.count);
