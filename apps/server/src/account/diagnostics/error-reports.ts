import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { errorReportCalls } from "@arcada/contract/account/error-reports.calls";
import type { AuthenticatedContext } from "../../platform/http/request-context.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Database } from "../../platform/database/database.ts";
import { keyedHash, newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { secret } from "../../platform/runtime/services.ts";
import { pathWithoutPersonalData, removePersonalData } from "./remove-personal-data.ts";
import { selectValue } from "../../platform/database/select-value.ts";

type BrowserError = Parsed<typeof errorReportCalls.reportErrors>["errors"][number];

/** Stores errors of browsers and logs them: what happened and where, not for whom. */
export const saveErrorReports = (context: AuthenticatedContext, errors: BrowserError[]): Promise<null> =>
  bypassTenantScope(context.db, async () => {
    const { db, principal, request } = context;
    const reporter = keyedHash(secret(), "error report", principal.uid);
    await sql`select pg_advisory_xact_lock(hashtextextended(${`errors ${reporter}`}, 0))`.execute(db);
    const recent = await selectValue(
      db,
      sql<number>`(select count(*)::int from error_report where reporter = ${reporter} and at > now() - interval '1 hour')`,
    );
    if (recent + errors.length > accountRules.errorsPerHour) refuse("tooManyRequests");
    const rows = errors.map((error) => toRow(error, reporter, String(request.headers["user-agent"] ?? "")));
    await db.insertInto("error_report").values(rows).execute();
    for (const { message, path } of rows) request.log.warn({ browser: { message, path } }, "error in a browser");
    return null;
  });

const toRow = (error: BrowserError, reporter: string, agent: string) => ({
  id: newId(),
  reporter,
  message: removePersonalData(error.message),
  stack: removePersonalData(error.stack ?? ""),
  path: pathWithoutPersonalData(error.path),
  agent: agent.slice(0, 200),
  happened_at: error.at,
});

export const deleteOldErrorReports = (database: Database) =>
  database.asSystem((db) =>
    sql`delete from error_report where at < now() - make_interval(days => ${accountRules.errorReportDays})`.execute(db),
  );
