import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { SearchHit } from "@arcada/contract/search/search.calls";
import { queryPipelined } from "../platform/database/database.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { SearchRequest, SearchSource } from "../platform/runtime/search-source.ts";
import { sortByMatch } from "../platform/text/search-terms.ts";
import type { Row } from "../tables/row.ts";
import { currentDay, identityColumns, toIdentity, toPatientScope } from "./patient-column-mapping.ts";
import { buildConditions } from "./patient.filters.ts";
import type { SqlPart } from "./patient.filters.ts";

/**
 * The clinic's patients: those that the user opened lately first, then those whose name or number begins like the text.
 */
export const patientSearch: SearchSource = {
  kind: "patient",
  list: patientCalls.list,
  find: findPatients,
  opening: {
    call: patientCalls.detail,
    load: async (context, ids) => {
      const [rows] = await queryPipelined(context.db, [openedQuery(context.principal.iid, ids, [])]);
      return rows.map((row) => toHit(context, row));
    },
  },
};

async function findPatients(context: MemberContext, { text, opened, most }: SearchRequest): Promise<SearchHit[]> {
  const { iid } = context.principal;
  const { words } = buildConditions(toPatientScope(context), patientCalls.list.input.parse({ search: text }));
  // Signs that no name contains: accents alone.
  if (words.length === 0) return [];
  const [known, , matches] = await queryPipelined(context.db, [
    opened.length > 0 ? openedQuery(iid, opened, words) : null,
    // The planner assumes a rotating disk: see the list.
    sql`set local random_page_cost = 1.1`,
    matchesQuery(iid, words),
  ]);
  const inOrderOfOpening = known.toSorted((one, other) => opened.indexOf(one.id) - opened.indexOf(other.id));
  const best = new Map([...inOrderOfOpening, ...sortByMatch(text, matches)].map((row) => [row.id, row]));
  return [...best.values()].slice(0, most).map((row) => toHit(context, row));
}

type FoundPatient = Row<
  "patient",
  "id" | "number" | "name" | "sex" | "birth_date" | "age_given" | "age_given_on" | "haystack" | "recent_visit_at"
>;
const columns = sql.join([...identityColumns, "haystack", "recent_visit_at"].map((column) => sql.ref(`p.${column}`)));
const all = (conditions: readonly SqlPart[]): SqlPart => sql.join(conditions, sql` and `);

const openedQuery = (iid: string, ids: readonly string[], words: readonly SqlPart[]): RawBuilder<FoundPatient> =>
  sql<FoundPatient>`select ${columns} from patient_living p
    where ${all([sql`p.institution_id = ${iid}`, sql`p.id = any(${ids}::uuid[])`, ...words])}`;

/**
 * Some matches, those with the latest visits among them, the latest first. A text that many patients match is found
 * among the patients of the last weeks, without their index; any other text is found by the index, which returns few.
 * Neither costs more in a large clinic, unlike the exact page of the list.
 */
const matchesQuery = (iid: string, words: readonly SqlPart[]): RawBuilder<FoundPatient> => sql<FoundPatient>`with
  latest as materialized (
    select ${columns} from (
      select * from patient_living where institution_id = ${iid} order by recent_visit_at desc, id desc limit ${sql.lit(latestPatients)}
    ) p where ${all(words)} limit ${sql.lit(enough)}),
  others as materialized (
    select ${columns} from patient_living p
    where ${all([sql`p.institution_id = ${iid}`, ...words])} and (select count(*) from latest) < ${sql.lit(enough)}
    limit ${sql.lit(mostMatches)})
  select * from latest union select * from others order by recent_visit_at desc`;
const latestPatients = 1000;
const enough = 12;
const mostMatches = 100;

const toHit = (context: MemberContext, row: FoundPatient): SearchHit => ({
  kind: "patient",
  ...toIdentity(row, currentDay(context)),
});
