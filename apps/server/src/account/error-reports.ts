import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { profileCalls } from "@arcada/contract/account/profile.calls";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database } from "../platform/database/database.ts";
import { keyedHash, newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { pathAlone, withoutPeople } from "./without-people.ts";

type Fault = Parsed<typeof profileCalls.reportErrors>["errors"][number];

/** Stores errors of browsers and logs them: what happened and where, not for whom. */
export const keepErrors = (context: AuthenticatedContext, errors: Fault[]): Promise<null> =>
  bypassTenantScope(context.db, async () => {
    const { db, asker, request } = context;
    const reporter = keyedHash(secret(), "error report", asker.uid);
    await sql`select pg_advisory_xact_lock(hashtextextended(${`errors ${reporter}`}, 0))`.execute(db);
    const lately = await sql<{ count: number }>`select count(*)::int as count from error_report
      where reporter = ${reporter} and at > now() - interval '1 hour'`.execute(db);
    if ((lately.rows[0]?.count ?? 0) + errors.length > accountRules.errorsPerHour) refuse("tooManyRequests");
    const rows = errors.map((fault) => rowOf(fault, reporter, String(request.headers["user-agent"] ?? "")));
    await db.insertInto("error_report").values(rows).execute();
    for (const { message, path } of rows) request.log.warn({ message, path }, "error in a browser");
    return null;
  });

const rowOf = (fault: Fault, reporter: string, agent: string) => ({
  id: newId(),
  reporter,
  message: withoutPeople(fault.message),
  stack: withoutPeople(fault.stack ?? ""),
  path: pathAlone(fault.path),
  agent: agent.slice(0, 200),
  happened_at: fault.at,
});

export const forgetErrorReports = (database: Database) =>
  database.asSystem((db) =>
    sql`delete from error_report where at < now() - make_interval(days => ${accountRules.errorReportDays})`.execute(db),
  );
