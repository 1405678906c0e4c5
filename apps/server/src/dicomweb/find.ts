import { refuse } from "../platform/http/refuse.ts";
import { chosen, rangesOf } from "./accept.ts";
import { baseMark, datasetText, parseDataset } from "./dicom-json.ts";
import { metadataAt, search, type Found } from "./find.store.ts";
import { queryOf, type Level } from "./query.ts";
import { note, unchanged, type Asked } from "./request.ts";

const jsonTypes = ["application/dicom+json", "application/json"] as const;

/** QIDO-RS (PS3.18 10.6). */
export async function find(asked: Asked, level: Level) {
  const { reply, place, base } = asked;
  const type = chosen(rangesOf(asked.accept), jsonTypes) ?? refuse("notAcceptable");
  const query = queryOf(asked.query, level);
  const rows = await asked.as(async (db) => {
    note(asked, db, "study.list", null);
    return search(db, level, place, query);
  });
  if (query.ignored.length > 0)
    reply.header("warning", `299 arcada "These keys do not narrow the answer: ${query.ignored.join(", ")}"`);
  const texts = rows.map((row) => answerOf(row, level, place.study !== undefined, base));
  return reply.type(type).send(`[${texts.join(",")}]`);
}

/** Without a study in the path, the attributes of the levels above are returned too (PS3.18 10.6.3.3). */
function answerOf(row: Found, level: Level, inStudy: boolean, base: string): string {
  const own = (level === "study" ? row.study : level === "series" ? row.series : row.instance) ?? "{}";
  if (level === "study" || inStudy) return own.replaceAll(baseMark, base);
  const above = level === "instance" ? parseDataset(row.series ?? "{}", base) : {};
  return datasetText({ ...parseDataset(row.study, base), ...above, ...parseDataset(own, base) });
}

/** Retrieves the metadata of instances, without their bytes (PS3.18 10.4.1.1.2). */
export async function metadata(asked: Asked) {
  const { reply, place, base } = asked;
  const type = chosen(rangesOf(asked.accept), jsonTypes) ?? refuse("notAcceptable");
  const rows = await asked.as(async (db) => {
    const found = await metadataAt(db, place);
    if (found[0]) note(asked, db, "study.read", found[0].studyId);
    return found;
  });
  if (rows.length === 0) return refuse("notFound");
  if (unchanged(asked, [type, base, ...rows.map(({ sha256 }) => sha256)])) return reply.code(304).send();
  return reply.type(type).send(`[${rows.map((row) => row.metadata.replaceAll(baseMark, base)).join(",")}]`);
}
