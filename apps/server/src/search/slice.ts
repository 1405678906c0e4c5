import { sql } from "kysely";
import { hasAccess } from "@arcada/contract/kernel/roles";
import { searchCalls, searchKinds, searchRules } from "@arcada/contract/search/search.calls";
import type { SearchHit } from "@arcada/contract/search/search.calls";
import { auditWithCommit } from "../platform/audit/audit.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { routes } from "../platform/http/serve-calls.ts";
import type { SearchSource } from "../platform/runtime/search-source.ts";
import type { Slice } from "../platform/runtime/slice.ts";
import type { Row } from "../tables/row.ts";

/**
 * The search of the whole product. Each slice finds its own records by the rules of its list; this slice asks those
 * whose list the role may read. It has no table: the audit log already says what a user opened lately.
 */
export const createSearchSlice = (sources: readonly SearchSource[]): Slice => ({
  name: "search",
  reads: ["audit"],
  routes: routes(searchCalls, {
    find: async ({ text }, context) => {
      const permitted = searchKinds.flatMap((kind) =>
        sources.filter((source) => source.kind === kind && hasAccess(source.list.access, context.principal.role)),
      );
      auditSearch(context, text === "" ? permitted.filter(({ opening }) => opening) : permitted);
      const opened = await findOpenedRecords(context, permitted);
      return text === ""
        ? { groups: [], opened: await loadOpened(context, permitted, opened) }
        : { groups: await findGroups(context, permitted, { text, opened }), opened: [] };
    },
  }),
});

/** A search reads the lists, so that it leaves the same lines as a search in each of them. */
function auditSearch({ db, principal, address, requestId }: MemberContext, sources: readonly SearchSource[]): void {
  for (const { list } of sources)
    if (list.audit)
      auditWithCommit(db, {
        institution_id: principal.iid,
        user_id: principal.uid,
        action: list.audit,
        address,
        request_id: requestId,
      });
}

type OpenedRecord = Pick<Row<"audit", "action">, "action"> & { subject: string };

/** So many of a user's latest lines of the audit log are read. A line of a search is among them as well. */
const readLines = 1000;

/** Returns the records that the user opened lately, the last one first. */
async function findOpenedRecords(
  { db, principal }: MemberContext,
  sources: readonly SearchSource[],
): Promise<OpenedRecord[]> {
  const actions = sources.flatMap(({ opening }) => opening?.call.audit ?? []);
  if (actions.length === 0 || principal.iid === null) return [];
  const { rows } = await sql<Row<"audit", "action" | "subject">>`${prepared}
    select action, subject from (
      select action, subject, at from audit where institution_id = ${principal.iid} and user_id = ${principal.uid}
      order by at desc limit ${sql.lit(readLines)}
    ) latest where action = any(${actions}::text[]) and subject is not null
    group by action, subject order by max(at) desc limit 100`.execute(db);
  return rows.flatMap(({ action, subject }) => (subject === null ? [] : { action, subject }));
}

const openedIn = ({ opening }: SearchSource, opened: readonly OpenedRecord[]): string[] =>
  opened.filter(({ action }) => action === opening?.call.audit).map(({ subject }) => subject);

async function loadOpened(
  context: MemberContext,
  sources: readonly SearchSource[],
  opened: readonly OpenedRecord[],
): Promise<SearchHit[]> {
  const hits = new Map<string, SearchHit>();
  for (const source of sources) {
    // Some of them may be in the bin by now.
    const ids = openedIn(source, opened).slice(0, 2 * searchRules.opened);
    if (source.opening && ids.length > 0)
      for (const hit of await source.opening.load(context, ids)) hits.set(hit.id, hit);
  }
  return opened.flatMap(({ subject }) => hits.get(subject) ?? []).slice(0, searchRules.opened);
}

async function findGroups(
  context: MemberContext,
  sources: readonly SearchSource[],
  { text, opened }: { text: string; opened: readonly OpenedRecord[] },
) {
  const groups = [];
  for (const source of sources) {
    const found = await source.find(context, { text, opened: openedIn(source, opened), most: searchRules.hits + 1 });
    const hits = found.slice(0, searchRules.hits);
    if (hits.length > 0) groups.push({ kind: source.kind, hits, isMore: found.length > hits.length });
  }
  return groups;
}
