import { refuse } from "../../platform/http/refuse.ts";
import type { FhirContext } from "../fhir-context.ts";
import type { RecordDefinition } from "../resource-definition.ts";
import { isUuid, readReference, splitValues } from "./search-parameters.ts";
import type { SearchRequest } from "./search-request.ts";
import type { SearchPage } from "./search-table.ts";

const patientParameters = ["patient", "subject"];

/** Searches the resources of one patient, which the search has to name, in the order in which they are loaded. */
export async function searchRecord(
  context: FhirContext,
  definition: RecordDefinition,
  search: SearchRequest,
): Promise<SearchPage & { patientId: string | null }> {
  if (search.sort !== null && !usualSorts.includes(search.sort)) refuse("badInput", { _sort: "invalid" });
  const patientId = await findPatient(context, definition, search);
  const only = context.patientOf(definition.type);
  const all =
    patientId === null || (only !== null && only !== patientId)
      ? []
      : await definition.loadOfPatient(context, patientId);
  const conditions = search.filters.map(({ name, value }) =>
    splitValues(value).map((one) => definition.parameters[name]!.matcher(one, context)),
  );
  const found = all.filter((resource) => conditions.every((values) => values.some((matches) => matches(resource))));
  const start = search.cursor === null ? 0 : readOffset(search.cursor);
  const page = search.isCountOnly ? [] : found.slice(start, start + search.count);
  const isMore = !search.isCountOnly && found.length > start + page.length;
  return {
    resources: page,
    total: search.hasTotal ? found.length : null,
    next: isMore ? Buffer.from(`from ${start + page.length}`).toString("base64url") : null,
    patientId,
  };
}
const usualSorts = ["-date", "-_lastUpdated"];

async function findPatient(
  context: FhirContext,
  definition: RecordDefinition,
  { filters }: SearchRequest,
): Promise<string | null> {
  const named = filters.find(({ name }) => patientParameters.includes(name));
  if (named) {
    const [value = "", ...others] = splitValues(named.value);
    if (others.length > 0) refuse("badInput", { [named.name]: "tooMany" });
    const id = readReference(value, "Patient");
    return id !== null && isUuid(id) ? id : null;
  }
  const ids = filters.find(({ name }) => name === "_id");
  // An app with a patient means this one.
  if (!ids) return context.patientOf(definition.type) ?? refuse("badInput", { patient: "required" });
  const [id = "", ...others] = splitValues(ids.value);
  if (others.length > 0) refuse("badInput", { _id: "tooMany" });
  return definition.findPatient(context, id);
}

function readOffset(cursor: string): number {
  const [, offset] = /^from (\d{1,6})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  return offset === undefined ? refuse("badInput", { _cursor: "invalid" }) : Number(offset);
}
