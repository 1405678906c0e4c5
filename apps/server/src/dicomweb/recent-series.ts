import type { StoredInstance } from "./find.store.ts";
import type { Asked } from "./request.ts";

/** A session is trusted for this time, measured from before the query: a revoked right ends within a second. */
const trustedMs = 500;
const goesOnMs = 5000;
const seriesMost = 16;
const instancesMost = 2000;

interface Recent {
  asked: number;
  /** Null: so far only one instance of this series was requested. */
  all: Promise<Map<string, StoredInstance>> | null;
}
const recent = new Map<string, Recent>();

/**
 * Finds an instance of a series that is read one by one: from the second instance on, all of them are queried at once,
 * for this session alone.
 */
export async function instanceOfSeries(
  asked: Asked,
  find: (asked: Asked, most: number) => Promise<StoredInstance[]>,
): Promise<StoredInstance> {
  const { study, series, instance = "" } = asked.place;
  const key = [asked.iid, asked.sessionId, study, series].join(" ");
  const known = recent.get(key);
  const now = Date.now();
  if (!known?.all || now - known.asked > trustedMs) {
    const all = known && now - known.asked < goesOnMs ? allOf(asked, find) : null;
    keep(key, { asked: now, all });
    all?.catch(() => recent.delete(key));
  }
  const found = (await recent.get(key)?.all)?.get(instance);
  return found ?? (await find(asked, 1))[0]!;
}

const allOf = async (asked: Asked, find: (asked: Asked, most: number) => Promise<StoredInstance[]>) => {
  const { study, series } = asked.place;
  const found = await find({ ...asked, place: { study: study!, series: series! } }, instancesMost);
  // If several instances with different bytes share a UID, the first one is queried by itself.
  const places = Map.groupBy(found, ({ uid }) => uid);
  return new Map([...places].flatMap(([uid, ones]) => (ones.length === 1 ? [[uid, ones[0]!] as const] : [])));
};

function keep(key: string, one: Recent): void {
  recent.delete(key);
  recent.set(key, one);
  if (recent.size > seriesMost) recent.delete(recent.keys().next().value!);
}
