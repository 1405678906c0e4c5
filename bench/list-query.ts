import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { patientsAsked } from "../apps/server/src/patient/patient.list.ts";
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
export function listQuery(iid: string, asked: Record<string, string> = {}, today = "2026-01-01"): Query {
  const house = { iid, timeZone: "UTC", today };
  const { sql, parameters } = patientsAsked(house, patientCalls.list.input.parse(asked)).at(-1)!.compile(compiler);
  return { text: sql, values: [...parameters] };
}
