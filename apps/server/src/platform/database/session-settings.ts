/**
 * The tenant scope of a transaction. `system` bypasses row-level security; `service` opens the tables of the platform's
 * service.
 */
export type TenantScope =
  | { system: true }
  | { system: false; iid: string | null; uid: string | null; service?: boolean | undefined };

/**
 * The way in which the connections of a pool reach their server. "session": each keeps one session of the server to
 * itself. "pooled": a pooler may give every transaction another session, so nothing may be set for longer than a
 * transaction. "replica": the same, on a server that only answers reads.
 */
export type SessionMode = "session" | "pooled" | "replica";

const settings = {
  TimeZone: "UTC",
  statement_timeout: "30000",
  idle_in_transaction_session_timeout: "60000",
  // Compiling takes longer than our statements run; the planner's estimates of a search for patients exceed its threshold.
  jit: "off",
} as const;

/** The role that row-level security binds to the tenant scope. */
export const tenantRole = "arcada_app";

/** The settings with which a connection begins; without a session of its own, each transaction sets them. */
export const sessionOptions = (mode: SessionMode): string | undefined =>
  mode === "session"
    ? Object.entries({ role: tenantRole, ...settings })
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(" ")
    : undefined;

/** The statement that begins a transaction in a tenant scope. */
export const beginStatement = (tenantScope: TenantScope, mode: SessionMode): string =>
  [mode === "replica" ? "begin read only" : "begin", ...transactionSettings(tenantScope, mode)].join("; ");

function transactionSettings(tenantScope: TenantScope, mode: SessionMode): string[] {
  const role = tenantScope.system ? "arcada_system" : tenantRole;
  return [
    ...(tenantScope.system || mode !== "session" ? [`set local role ${role}`] : []),
    ...(mode === "session" ? [] : Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'`)),
    ...(tenantScope.system ? [] : [scopeStatement(tenantScope)]),
  ];
}

const scopeStatement = ({ iid, uid, service }: TenantScope & { system: false }): string =>
  `select set_config('arcada.iid', ${quoteSetting(iid)}, true), set_config('arcada.uid', ${quoteSetting(uid)}, true)${service ? ", set_config('arcada.service', 'on', true)" : ""}`;

const uuid = /^[0-9a-f-]{36}$/;
const quoteSetting = (value: string | null): string => {
  if (value !== null && !uuid.test(value)) throw new TypeError("not an identifier");
  return `'${value ?? ""}'`;
};

/**
 * The end of a transaction that notifies. PostgreSQL commits such transactions one after another, in all databases of a
 * server, and each keeps the next one waiting until its commit is on the disk (and on a synchronous standby). So they
 * commit without that wait, and `flushStatement` is a second commit behind it that waits, together with those of all
 * connections: what was written to the log before it is on the disk when it returns, and nothing is acknowledged
 * earlier. Meanwhile others can read a change that a crash of the server would still undo. What they then write follows
 * it in the same log, and cannot be kept without it.
 */
export const commitWithoutFlush = "set_config('synchronous_commit', 'off', true)";
/** A commit that has written nothing would not wait: it writes an empty message, which only the log contains. */
export const flushStatement = "select pg_logical_emit_message(true, 'arcada', '')";
