import { sql } from "kysely";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import type { SearchHit } from "@arcada/contract/search/search.calls";
import { queryPipelined } from "../platform/database/database.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { SearchRequest, SearchSource } from "../platform/runtime/search-source.ts";
import { sortByMatch } from "../platform/text/search-terms.ts";
import type { Row } from "../tables/row.ts";
import { currentDay, identityColumns, toIdentity, toPatientScope } from "./patient-column-mapping.ts";
import { buildConditions } from "./patient.filters.ts";
import type { SqlPart } from "./patient.filters.ts";
import { buildListQueries, toPatientsPage } from "./patient.list.ts";

/** The number of matches, those with the latest visits, of which the best are chosen. */
const pageSize = 50;

/** The clinic's patients: those that the user opened lately first, then those whose name or number begins like the text. */
export const patientSearch: SearchSource = {
  kind: "patient",
  list: patientCalls.list,
  find: findPatients,
  opening: {
    call: patientCalls.detail,
    load: async (context, ids) => {
      const [rows] = await queryPipelined(context.db, [openedQuery(context, ids, [])]);
      return rows.map((row) => toHit(toIdentity(row, currentDay(context))));
    },
  },
};

async function findPatients(context: MemberContext, { text, opened, most }: SearchRequest): Promise<SearchHit[]> {
  const scope = toPatientScope(context);
  const query = patientCalls.list.input.parse({ search: text, pageSize });
  const { words } = buildConditions(scope, query);
  const [known, ...results] = await queryPipelined(context.db, [
    opened.length > 0 ? openedQuery(context, opened, words) : null,
    ...buildListQueries(scope, query),
  ]);
  const today = currentDay(context);
  const inOrderOfOpening = known.toSorted((one, other) => opened.indexOf(one.id) - opened.indexOf(other.id));
  const matches = toPatientsPage(results.at(-1) as never[], query, today).list;
  const ranked = sortByMatch(
    text,
    matches.map((row) => ({ ...row, numbers: [row.number, row.phone] })),
  );
  const best = [...inOrderOfOpening.map((row) => toIdentity(row, today)), ...ranked];
  return [...new Map(best.map((row) => [row.id, toHit(row)])).values()].slice(0, most);
}

type OpenedPatient = Row<"patient", "id" | "number" | "name" | "sex" | "birth_date" | "age_given" | "age_given_on">;
const openedQuery = ({ principal }: MemberContext, ids: readonly string[], words: readonly SqlPart[]) =>
  sql<OpenedPatient>`select ${sql.join(identityColumns.map((column) => sql.ref(column)))} from patient_living p
    where ${sql.join([sql`p.institution_id = ${principal.iid}`, sql`p.id = any(${ids}::uuid[])`, ...words], sql` and `)}`;

type Identity = Pick<PatientRow, "id" | "number" | "name" | "sex" | "age" | "birthDate">;
const toHit = (identity: Identity): SearchHit => ({ kind: "patient", ...identity });
