import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { buildListQueries } from "../../apps/server/src/patient/patient.list.ts";
import { patientCalls } from "@arcada/contract/patient/patient.calls";

export interface Query {
  text: string;
  values: unknown[];
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The statement that the patient list sends, as the slice itself makes it. */
export function patientListQuery(iid: string, filters: Record<string, string> = {}, today = "2026-01-01"): Query {
  const institution = { iid, timeZone: "UTC", today };
  const { sql, parameters } = buildListQueries(institution, patientCalls.list.input.parse(filters))
    .at(-1)!
    .compile(compiler);
  return { text: sql, values: [...parameters] };
}
