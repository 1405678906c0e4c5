import { sql } from "kysely";
import type { Resource } from "@medplum/fhirtypes";
import type { Database } from "../../platform/database/database.ts";
import type { Row } from "../../tables/row.ts";
import type { FhirContext, FhirReader } from "../fhir-context.ts";
import type { RecordDefinition, ResourceDefinition, TableDefinition } from "../resource-definition.ts";
import { patientDefinition } from "../resources/patient.ts";

export interface BulkReader extends Omit<FhirReader, "patientOf"> {
  database: Database;
  base: string;
  /** Only resources that changed from this instant on. */
  since: string | null;
}

const pageSize = 200;

/**
 * Yields the resources of a type page by page, in the order of their ids, which changes in the meantime do not move. Each
 * page is a transaction of its own. Types without a time of change are yielded as a whole.
 */
export async function* listResources(reader: BulkReader, definition: ResourceDefinition): AsyncGenerator<Resource[]> {
  for await (const ids of listIds(reader, definition.kind === "table" ? definition : patientDefinition))
    yield (await loadPage(reader, definition, ids)).filter((resource) => isSince(reader, definition, resource));
}

async function* listIds(reader: BulkReader, definition: TableDefinition): AsyncGenerator<string[]> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await read(reader, async (context) => {
      const found = await sql<Row<"users", "id">>`select r.id from ${definition.from}
        where ${definition.visible(context)} and r.id > ${after}::uuid order by r.id limit ${pageSize}`.execute(
        context.db,
      );
      return found.rows;
    });
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.id;
  }
}

const loadPage = (reader: BulkReader, definition: ResourceDefinition, ids: string[]): Promise<Resource[]> =>
  definition.kind === "table"
    ? read(reader, (context) => definition.load(context, ids))
    : loadRecords(reader, definition, ids);

/** The record of one patient at a time is in memory. */
async function loadRecords(reader: BulkReader, definition: RecordDefinition, patients: string[]): Promise<Resource[]> {
  const found: Resource[] = [];
  for (const id of patients) found.push(...(await read(reader, (context) => definition.loadOfPatient(context, id))));
  return found;
}

const read = <T>(reader: BulkReader, work: (context: FhirContext) => Promise<T>): Promise<T> => {
  const { database, iid, uid, role, timeZone, language, base } = reader;
  return database.as({ system: false, iid, uid }, (db) =>
    // The export is one line of the audit log, which its beginning writes.
    work({ iid, uid, role, timeZone, language, base, db, patientOf: () => null, note: () => {} }),
  );
};

function isSince({ since }: BulkReader, { isVersioned }: ResourceDefinition, { meta }: Resource): boolean {
  if (since === null || (meta?.lastUpdated === undefined && !isVersioned)) return true;
  return meta?.lastUpdated === undefined || Date.parse(meta.lastUpdated) >= Date.parse(since);
}
