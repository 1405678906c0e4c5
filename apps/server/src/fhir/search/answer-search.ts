import type { Bundle, BundleEntry, Resource } from "@medplum/fhirtypes";
import type { FhirContext } from "../fhir-context.ts";
import type { ResourceDefinition, TableDefinition } from "../resource-definition.ts";
import { isUuid, readReference } from "./search-parameters.ts";
import { searchRecord } from "./search-record.ts";
import type { SearchRequest } from "./search-request.ts";
import { loadVisible, searchTable } from "./search-table.ts";

/** Runs a search and returns its page as a Bundle. `included` holds the definitions of what `_include` names. */
export async function answerSearch(
  context: FhirContext,
  definition: ResourceDefinition,
  search: SearchRequest,
  included: readonly TableDefinition[],
): Promise<Bundle> {
  const { base } = context;
  const page =
    definition.kind === "table"
      ? { ...(await searchTable(context, definition, search)), patientId: null }
      : await searchRecord(context, definition, search);
  for (const subject of listSubjects(definition, search, page)) context.note(definition.audit?.search, subject);
  const at = (pairs: [string, string][]) =>
    `${base}/${definition.type}${pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ""}`;
  const nextParameters = search.used.filter(([name]) => name !== "_cursor");
  const toEntry = (resource: Resource, mode: "match" | "include"): BundleEntry => ({
    fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    resource,
    search: { mode },
  });
  const entry = [
    ...page.resources.map((resource) => toEntry(resource, "match")),
    ...(await loadIncluded(context, definition, search, included, page.resources)).map((resource) =>
      toEntry(resource, "include"),
    ),
  ];
  return {
    resourceType: "Bundle",
    type: "searchset",
    ...(page.total !== null && { total: page.total }),
    link: [
      { relation: "self", url: at(search.used) },
      ...(page.next ? [{ relation: "next", url: at([...nextParameters, ["_cursor", page.next]]) }] : []),
    ],
    ...(entry.length > 0 && { entry }),
  };
}

/** The subjects of the lines in the audit log: the patients that were read, or the patient who was named. */
function listSubjects(
  definition: ResourceDefinition,
  { filters }: SearchRequest,
  { resources, patientId }: { resources: readonly Resource[]; patientId: string | null },
): (string | null)[] {
  if (definition.auditsPatients) {
    const read = new Set(resources.map((resource) => definition.includes.patient?.idOf(resource) ?? null));
    return read.size > 0 ? [...read] : [null];
  }
  const named = filters.find(({ name }) => name === "patient" || name === "subject");
  const id = named ? readReference(named.value, "Patient") : null;
  return [patientId ?? (id !== null && isUuid(id) ? id : null)];
}

/** Loads what the matches refer to, as far as the reader may know it. */
async function loadIncluded(
  context: FhirContext,
  definition: ResourceDefinition,
  { includes }: SearchRequest,
  included: readonly TableDefinition[],
  matches: readonly Resource[],
): Promise<Resource[]> {
  const idsByTarget = new Map<TableDefinition, Set<string>>();
  for (const name of includes) {
    const inclusion = definition.includes[name]!;
    const found = included.find(({ type }) => type === inclusion.target);
    if (!found) continue;
    const ids = idsByTarget.get(found) ?? new Set<string>();
    for (const match of matches) {
      const id = inclusion.idOf(match);
      if (id !== null) ids.add(id);
    }
    idsByTarget.set(found, ids);
  }
  const loaded: Resource[] = [];
  for (const [target, ids] of idsByTarget) {
    loaded.push(...(await loadVisible(context, target, [...ids])));
    for (const id of ids) context.note(target.audit?.read, id);
  }
  return loaded;
}
