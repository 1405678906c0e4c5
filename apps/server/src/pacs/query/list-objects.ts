import { listStoredInstances, type StoredInstance } from "../../dicomweb/indexed-instances.store.ts";
import { parseDataset, type JsonDataset } from "../../dicomweb/dicom-json.ts";
import { ServiceRefused } from "../../dimse/service.ts";
import { uniqueKeys, type QueryIdentifier } from "./parse-identifier.ts";
import { searchPage, searchRules, type WithTenant } from "./search-records.ts";

/** Returns the stored objects that a C-MOVE or a C-GET names by unique keys. Throws ServiceRefused. */
export async function listRequestedObjects(
  identifier: QueryIdentifier,
  withTenant: WithTenant,
): Promise<StoredInstance[]> {
  const { level, keys, asked } = identifier;
  const own = keys[uniqueKeys[level]];
  if (!own || /[*?]/.test(own))
    throw new ServiceRefused("otherThanSaid", "the unique key of the level is missing or is a pattern");
  // PS3.4 C.4.2.2.1: a retrieval is restricted by unique keys alone.
  const unique = Object.entries(keys).filter(([tag]) => (Object.values(uniqueKeys) as string[]).includes(tag));
  const rows = await searchPage(
    { level, asked, keys: Object.fromEntries(unique) },
    { offset: 0, limit: searchRules.most + 1 },
    withTenant,
  );
  if (rows.length > searchRules.most)
    throw new ServiceRefused("outOfResources", `more than ${searchRules.most} records: ask for less`);
  const paths = new Map<string, { study: string; series?: string; instances: Set<string> }>();
  for (const { study, series, instance } of rows) {
    const [studyUid, seriesUid] = [readUid(study, "0020000D"), series === null ? "" : readUid(series, "0020000E")];
    const path = paths.get(`${studyUid} ${seriesUid}`) ?? {
      study: studyUid,
      ...(seriesUid && { series: seriesUid }),
      instances: new Set<string>(),
    };
    if (instance !== null) path.instances.add(readUid(instance, "00080018"));
    paths.set(`${studyUid} ${seriesUid}`, path);
  }
  const found: StoredInstance[] = [];
  for (const { instances, ...path } of paths.values()) {
    const stored = await withTenant((db) => listStoredInstances(db, path));
    found.push(...stored.filter(({ uid }) => level !== "instance" || instances.has(uid)));
  }
  return found;
}

const readUid = (text: string, tag: string): string => {
  const dataset: JsonDataset = parseDataset(text, "");
  const uid = dataset[tag]?.Value?.[0];
  return typeof uid === "string" ? uid : "";
};
