import { searchIndex, type SearchRow } from "../../dicomweb/indexed-instances.store.ts";
import { parseDataset, type JsonDataset } from "../../dicomweb/dicom-json.ts";
import { parseQuery, type Level } from "../../dicomweb/qido/parse-query.ts";
import { ServiceRefused } from "../../dimse/service.ts";
import type { Db } from "../../platform/database/database.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { encodeAnswer } from "./encode-answer.ts";
import { levelNames, type QueryIdentifier } from "./parse-identifier.ts";

/** Runs a query as the clinic, under row-level security. */
export type WithTenant = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export const searchRules = { page: 200, most: 5000 } as const;

/** Answers a C-FIND page by page. Throws ServiceRefused for a key that nothing can match, and beyond the limit. */
export async function* searchRecords(
  identifier: QueryIdentifier,
  ourTitle: string,
  withTenant: WithTenant,
): AsyncGenerator<Buffer> {
  const fixed: JsonDataset = {
    "00080052": { vr: "CS", Value: [levelNames[identifier.level]] },
    "00080054": { vr: "AE", Value: [ourTitle] },
    "00080056": { vr: "CS", Value: ["ONLINE"] },
  };
  const patients = new Set<string>();
  for (let offset = 0; ; offset += searchRules.page) {
    const rows = await searchPage(identifier, { offset, limit: searchRules.page }, withTenant);
    for (const row of rows) {
      const found = readRow(row);
      if (identifier.level === "patient" && !isNewPatient(patients, found)) continue;
      yield encodeAnswer(identifier, found, fixed);
    }
    if (rows.length < searchRules.page) return;
    if (offset + rows.length >= searchRules.most)
      throw new ServiceRefused("outOfResources", `more than ${searchRules.most} answers: ask for less`);
  }
}

/** A patient level has no rows of its own: it is what the studies say of their patients. */
function isNewPatient(known: Set<string>, found: JsonDataset): boolean {
  const key = JSON.stringify([found["00100020"]?.Value, found["00100010"]?.Value, found["00100030"]?.Value]);
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

const readRow = ({ study, series, instance }: SearchRow): JsonDataset => ({
  ...parseDataset(study, ""),
  ...(series !== null && parseDataset(series, "")),
  ...(instance !== null && parseDataset(instance, "")),
});

/** Returns rows of the index that match the keys of an identifier; those of levels below are left out. */
export async function searchPage(
  { level, keys, asked }: Pick<QueryIdentifier, "level" | "keys" | "asked">,
  page: { offset: number; limit: number },
  withTenant: WithTenant,
): Promise<SearchRow[]> {
  const indexLevel: Level = level === "patient" ? "study" : level;
  const wanted = Object.entries(keys).filter(([tag]) => level !== "patient" || tag.startsWith("0010"));
  try {
    const query = parseQuery(Object.fromEntries(wanted), indexLevel);
    const all = level === "instance" && asked.elements.some(({ tag }) => !instanceTags.has(tag));
    return await withTenant((db) => searchIndex(db, indexLevel, {}, { ...query, ...page, all }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new ServiceRefused("otherThanSaid", "a key has a value that its attribute cannot have");
  }
}

/** Elements that the index has of an object and of its levels: for any other, its whole metadata is read. */
const instanceTags: ReadonlySet<string> = new Set(
  [
    "x00080005 x00080008 x00080016 x00080018 x00080020 x00080030 x00080050 x00080052 x00080054 x00080056 x00080060",
    "x0008103e x00081030 x00100010 x00100020 x00100030 x00100040 x0020000d x0020000e x00200010 x00200011 x00200013",
    "x00280008 x00280010 x00280011 x00280100",
  ].flatMap((line) => line.split(" ")),
);
