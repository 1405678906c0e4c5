import { refuse } from "../../platform/http/refuse.ts";
import { chooseType, parseAccept } from "../accept-header.ts";
import { baseUrlPlaceholder, serialiseDataset, parseDataset } from "../dicom-json.ts";
import { listMetadata, searchIndex, type SearchRow } from "../indexed-instances.store.ts";
import { parseQuery, type Level } from "./parse-query.ts";
import { auditAccess, isUnchanged, type DicomwebContext } from "../dicomweb-context.ts";

const jsonTypes = ["application/dicom+json", "application/json"] as const;

/** QIDO-RS (PS3.18 10.6). */
export async function searchResources(context: DicomwebContext, level: Level) {
  const { reply, resource, baseUrl: base } = context;
  const type = chooseType(parseAccept(context.accept), jsonTypes) ?? refuse("notAcceptable");
  const query = parseQuery(context.query, level);
  const rows = await context.withTenant(async (db) => {
    auditAccess(context, db, "study.list", null);
    return searchIndex(db, level, resource, query);
  });
  if (query.ignored.length > 0)
    reply.header("warning", `299 arcada "These keys do not narrow the answer: ${query.ignored.join(", ")}"`);
  const texts = rows.map((row) => serialiseRow(row, level, resource.study !== undefined, base));
  return reply.type(type).send(`[${texts.join(",")}]`);
}

/** Without a study in the path, the attributes of the levels above are returned too (PS3.18 10.6.3.3). */
function serialiseRow(row: SearchRow, level: Level, inStudy: boolean, base: string): string {
  const own = (level === "study" ? row.study : level === "series" ? row.series : row.instance) ?? "{}";
  if (level === "study" || inStudy) return own.replaceAll(baseUrlPlaceholder, base);
  const above = level === "instance" ? parseDataset(row.series ?? "{}", base) : {};
  return serialiseDataset({ ...parseDataset(row.study, base), ...above, ...parseDataset(own, base) });
}

/** Retrieves the metadata of instances, without their bytes (PS3.18 10.4.1.1.2). */
export async function sendMetadata(context: DicomwebContext) {
  const { reply, resource, baseUrl: base } = context;
  const type = chooseType(parseAccept(context.accept), jsonTypes) ?? refuse("notAcceptable");
  const rows = await context.withTenant(async (db) => {
    const found = await listMetadata(db, resource);
    if (found[0]) auditAccess(context, db, "study.read", found[0].studyId);
    return found;
  });
  if (rows.length === 0) return refuse("notFound");
  if (isUnchanged(context, [type, base, ...rows.map(({ sha256 }) => sha256)])) return reply.code(304).send();
  return reply.type(type).send(`[${rows.map((row) => row.metadata.replaceAll(baseUrlPlaceholder, base)).join(",")}]`);
}
