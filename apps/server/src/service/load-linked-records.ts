import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import {
  parseVersionId,
  serviceCalls,
  linkedRecords,
  linkedRecordKinds,
} from "@arcada/contract/service/linked-records.calls";
import type { LinkedRecordKind } from "@arcada/contract/service/linked-records.calls";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import { areLinked, rowSource } from "./linked-record-conditions.ts";
import { selectValue } from "../platform/database/select-value.ts";

type LinkedRecordsInput = Parsed<typeof serviceCalls.trail>;

/** Returns the five other kinds, each with the rows that belong to the given one. */
export async function loadLinkedRecords(
  context: AuthenticatedContext,
  request: LinkedRecordsInput,
): Promise<Output<typeof serviceCalls.trail>> {
  await requireAnchor(context, request);
  const found: Record<string, unknown> = {};
  for (const kind of linkedRecordKinds) if (kind !== request.of) found[kind] = await loadLinked(context, request, kind);
  return linkedRecords.partial().parse(found);
}

const anchor = sql`a`;
const other = sql`o`;

async function loadLinked(
  { db, principal }: AuthenticatedContext,
  request: LinkedRecordsInput,
  kind: LinkedRecordKind,
) {
  const joined = areLinked({ kind: request.of, alias: anchor }, { kind, alias: other });
  const those = sql`from ${rowSource[kind](other)}
    where exists (select from ${rowSource[request.of](anchor)} where ${isAnchorRow(request)} and ${joined})`;
  // Others' work is counted and not named.
  const own =
    kind === "workorder" && principal.role === "afterSalesMember"
      ? sql`and (${principal.uid}::uuid in (o.assignee_id, o.alternate_id, o.created_by)
          or exists (select from work_order_event e where e.work_order_id = o.id and e.user_id = ${principal.uid}))`
      : sql``;
  const total = await selectValue(db, sql<number>`(select count(*)::int ${those})`);
  const listed =
    await sql`select ${shownColumns[kind]} ${those} ${own} order by ${rowOrder[kind]} limit ${request.most}`.execute(
      db,
    );
  return { total, list: listed.rows };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isAnchorRow({ of, id }: LinkedRecordsInput): RawBuilder<unknown> {
  if (of !== "version") return uuid.test(id) ? sql`a.id = ${id}::uuid` : refuse("notFound");
  const { product, version } = parseVersionId(id) ?? refuse("notFound");
  return sql`(a.product = ${product} and a.version = ${version})`;
}

async function requireAnchor({ db }: AuthenticatedContext, request: LinkedRecordsInput): Promise<void> {
  const there = await sql`select from ${rowSource[request.of](anchor)} where ${isAnchorRow(request)}`.execute(db);
  if (there.rows.length === 0) refuse("notFound");
}

const shownColumns: Record<LinkedRecordKind, RawBuilder<unknown>> = {
  device: sql`o.id, o.product, o.model, o.serial_number as "serialNumber", o.software_version as "softwareVersion", o.state`,
  clinic: sql`o.id, o.name, o.number`,
  version: sql`o.product, o.version, (select count(*)::int from device n
    where n.product = o.product and n.software_version = o.version) as devices`,
  feedback: sql`o.id, o.number, o.page, left(o.description, 120) as says, o.state, o.fixed_in as "fixedIn"`,
  workorder: sql`o.id, o.number, case o.type when 'move_machine' then 'moveMachine' else o.type end as type, o.state,
    o.created_at as "createdAt"`,
  package: sql`o.id, o.name, o.product, o.version, o.state`,
};
/** The newest first, or those that are still to be done. */
const rowOrder: Record<LinkedRecordKind, RawBuilder<unknown>> = {
  device: sql`o.created_at desc, o.id desc`,
  clinic: sql`o.sort_name, o.id`,
  version: sql`devices desc, o.product, o.version desc`,
  feedback: sql`o.state = 'fixed', o.id desc`,
  workorder: sql`o.state in ('finished', 'closed'), o.id desc`,
  package: sql`o.product, o.version_key desc`,
};
