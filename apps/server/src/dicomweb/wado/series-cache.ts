import { LRUCache } from "lru-cache";
import type { StoredInstance } from "../indexed-instances.store.ts";
import type { DicomwebContext } from "../dicomweb-context.ts";

/** A session is trusted for this time, measured from before the query: a revoked right ends within a second. */
const freshMs = 500;
const sequenceGapMs = 5000;
const maxInstances = 2000;

interface CachedSeries {
  requestedAt: number;
  /** Null: so far only one instance of this series was requested. */
  all: Promise<Map<string, StoredInstance>> | null;
}
const cachedSeries = new LRUCache<string, CachedSeries>({ max: 16 });

/**
 * Finds an instance of a series that is read one by one: from the second instance on, all of them are queried at once,
 * for this session alone.
 */
export async function findInstanceOfSeries(
  context: DicomwebContext,
  find: (context: DicomwebContext, most: number) => Promise<StoredInstance[]>,
): Promise<StoredInstance> {
  const { study, series, instance = "" } = context.resource;
  const key = [context.iid, context.sessionId, study, series].join(" ");
  const known = cachedSeries.get(key);
  const now = Date.now();
  if (!known?.all || now - known.requestedAt > freshMs) {
    const all = known && now - known.requestedAt < sequenceGapMs ? loadAllInstances(context, find) : null;
    cachedSeries.set(key, { requestedAt: now, all });
    all?.catch(() => cachedSeries.delete(key));
  }
  const found = (await cachedSeries.get(key)?.all)?.get(instance);
  return found ?? (await find(context, 1))[0]!;
}

const loadAllInstances = async (
  context: DicomwebContext,
  find: (context: DicomwebContext, most: number) => Promise<StoredInstance[]>,
) => {
  const { study, series } = context.resource;
  const found = await find({ ...context, resource: { study: study!, series: series! } }, maxInstances);
  // If several instances with different bytes share a UID, the first one is queried by itself.
  const places = Map.groupBy(found, ({ uid }) => uid);
  return new Map([...places].flatMap(([uid, ones]) => (ones.length === 1 ? [[uid, ones[0]!] as const] : [])));
};
