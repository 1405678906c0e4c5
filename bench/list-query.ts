import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { Tables } from "../apps/server/src/tables/tables.ts";
import { listPatients } from "../apps/server/src/patient/patient.list.ts";
import { patientCalls } from "@arcada/contract/patient/patient.calls";

export interface Query {
  text: string;
  values: unknown[];
}

/** The statement that the patient list sends, as the slice itself makes it: heard, not sent. */
export async function listQuery(iid: string, asked: Record<string, string> = {}, today = "2026-01-01"): Promise<Query> {
  const heard: Query[] = [];
  const listening = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query: { sql, parameters } }) => {
      if (!sql.startsWith("set local")) heard.push({ text: sql, values: [...parameters] });
    },
  });
  const input = patientCalls.list.input.parse(asked);
  await listening.transaction().execute((db) => listPatients(db, iid, input, today));
  if (heard.length !== 1) throw new Error(`the patient list sends ${heard.length} statements, not one`);
  return heard[0]!;
}
