import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawBuilder } from "kysely";
import type { z } from "zod";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";
import type { DeviceScope } from "@arcada/contract/device/device.rules";
import { findScope } from "@arcada/contract/integrations/api-key-scopes";
import { readInput } from "@arcada/contract/kernel/call";
import type { Call, CallTable, Output, Parsed } from "@arcada/contract/kernel/call";
import { successCode } from "@arcada/contract/kernel/refusals";
import { hasAccess, serviceRoles } from "@arcada/contract/kernel/roles";
import type {
  ManualTransactionContext,
  AuthenticatedContext,
  Principal,
  Context,
  MemberContext,
  ActiveMembership,
  GuestSession,
} from "./request-context.ts";
import { retryOnConflict } from "../database/retry.ts";
import { auditStatement, auditWithCommit } from "../audit/audit.ts";
import type { AuditRow } from "../audit/audit.ts";
import type { Config } from "../runtime/config.ts";
import type { Database, Db } from "../database/database.ts";
import type { TenantScope } from "../database/session-settings.ts";
import { runAsHolder } from "../live/address-holders.ts";
import type { Holder } from "../live/address-holders.ts";
import { signInFailures } from "../telemetry/counters-and-histograms.ts";
import { announceRemoval } from "../openapi/announce-removal.ts";
import { runIdempotently } from "./idempotency.ts";
import { Refused, refuse } from "./refuse.ts";
import { parseLanguage } from "../text/texts.ts";

type ContextOf<C extends Call> = C["access"] extends "anyone"
  ? Context
  : C["access"] extends "signedIn"
    ? AuthenticatedContext
    : MemberContext;
type Handler<C extends Call> = (input: Parsed<C>, context: ContextOf<C>) => Promise<z.input<C["output"]>>;
/** A handler that opens its transactions itself. */
interface ManualTransactionHandler<C extends Call> {
  manualTransaction: (
    input: Parsed<C>,
    context: ManualTransactionContext<ContextOf<C>>,
  ) => Promise<z.input<C["output"]>>;
}
/**
 * A handler that adds more than data to its response: `again` runs when a repeated command receives the first answer.
 */
interface IdempotentHandler<C extends Call> {
  handle: Handler<C>;
  onRepeat: (answer: Output<C>, context: ContextOf<C>) => Promise<void>;
}
/** A handler that does slow work before its transaction begins. */
interface PreparedHandler<C extends Call> {
  prepare: (input: Parsed<C>, context: ManualTransactionContext<ContextOf<C>>) => Promise<void>;
  handle: Handler<C>;
}
/** A handler that only reads: its queries, the audit row and the commit take one round trip. */
interface QueryHandler<C extends Call> {
  /** The rows of the last query are passed to `answer`. */
  queries: (input: Parsed<C>, context: ReadContext<ContextOf<C>>) => readonly RawBuilder<unknown>[];
  toOutput: (rows: never[], input: Parsed<C>, context: ReadContext<ContextOf<C>>) => z.input<C["output"]>;
}
type ReadContext<C extends Context> = Omit<C, "db" | "move">;
export type Handlers<T extends CallTable> = {
  [K in keyof T]:
    | Handler<T[K]>
    | ManualTransactionHandler<T[K]>
    | IdempotentHandler<T[K]>
    | PreparedHandler<T[K]>
    | QueryHandler<T[K]>;
};
export interface Route {
  call: Call;
  handler: (input: unknown, context: MemberContext) => Promise<unknown>;
  manualTransaction?: (input: unknown, context: ManualTransactionContext<MemberContext>) => Promise<unknown>;
  onRepeat?: (answer: unknown, context: MemberContext) => Promise<void>;
  prepare?: (input: unknown, context: ManualTransactionContext<MemberContext>) => Promise<void>;
  query?: QueryHandler<Call>;
}
/** Pairs the calls of a feature module with their handlers; the compiler reports missing ones. */
export const routes = <T extends CallTable>(table: T, handlers: Handlers<T>): Route[] =>
  Object.keys(table).map((name) => {
    const call = table[name]!;
    if (call.toleratesDelay && (call.audit || call.isIdempotent || call.access === "anyone"))
      throw new Error(`${call.path} writes, or decides who somebody is, and cannot be answered by a replica`);
    const handler = handlers[name] as unknown as
      | Route["handler"]
      | { manualTransaction: NonNullable<Route["manualTransaction"]> }
      | { handle: Route["handler"]; onRepeat: NonNullable<Route["onRepeat"]> }
      | { prepare: NonNullable<Route["prepare"]>; handle: Route["handler"] }
      | NonNullable<Route["query"]>;
    if (typeof handler === "function") return { call, handler };
    if ("onRepeat" in handler) return { call, handler: handler.handle, onRepeat: handler.onRepeat };
    if ("prepare" in handler) return { call, handler: handler.handle, prepare: handler.prepare };
    // Answers of commands, and audit rows of such handlers, would have to be written in the handler's transaction.
    if ("queries" in handler && !call.isIdempotent) return { call, handler: rejectWithoutTransaction, query: handler };
    if (call.isIdempotent || call.audit || !("manualTransaction" in handler))
      throw new Error(`${call.path} cannot be answered apart from a transaction`);
    return { call, handler: rejectWithoutTransaction, manualTransaction: handler.manualTransaction };
  });
const rejectWithoutTransaction = () => Promise.reject(new Error("a handler without a transaction"));

/**
 * "stays": long-running. "upload": the same, also after the session was locked. "whileLocked": allowed while locked.
 */
export type AuthenticationMode = "stays" | "upload" | "whileLocked";
/**
 * Returns the principal of a request, or null for none; refuses a token that is known to be invalid. Long-running
 * requests (streams, uploads) pass `stays`: they are checked again and again, and their response comes late or never,
 * so that it cannot carry a new token; a token that was replaced meanwhile ends the request and not the session.
 * `scopes`: an API key must have one of them; if none is named, no key is accepted.
 */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  mode?: AuthenticationMode,
  scopes?: readonly AcceptedScope[],
) => Promise<Principal | null>;
/** "fhir": access tokens of apps are accepted as well. */
export type AcceptedScope = KeyScope | DeviceScope | "fhir";
export interface Serving {
  database: Database;
  config: Config;
  authenticate: Authenticate;
  move(db: Db, sessionId: string, membership: ActiveMembership): Promise<{ token: string }>;
  /** Returns the guest session of a request; refuses if there is none. */
  authenticateGuest(request: FastifyRequest): Promise<GuestSession>;
}

/** Serves a call in this order: authentication, role, parse input, handler, audit, parse output, envelope. */
export function serve(app: FastifyInstance, serving: Serving, all: Route[]): void {
  for (const route of all)
    app.route({
      method: route.call.method,
      url: route.call.path,
      ...(route.call.maxBodyBytes !== undefined && { bodyLimit: route.call.maxBodyBytes }),
      ...(route.call.deprecated && { onRequest: announceRemoval(route.call.deprecated) }),
      handler: route.call.isSignIn
        ? (request, reply) => handleRequest(serving, route, request, reply).catch(countSignInFailure)
        : (request, reply) => handleRequest(serving, route, request, reply),
    });
}

function countSignInFailure(error: unknown): never {
  if (error instanceof Refused) signInFailures.inc({ refusal: error.refusal });
  throw error;
}

async function handleRequest(serving: Serving, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { method, allowedWhileLocked } = route.call;
  const raw = method === "GET" ? request.query : (request.body ?? {});
  const data = await runCall(serving, route, request, reply, {
    raw,
    mode: allowedWhileLocked ? "whileLocked" : undefined,
  });
  return reply.send({ code: successCode, msg: "", data });
}

/**
 * Makes a call for a request, with everything that belongs to it, and returns its output. An endpoint of another
 * protocol calls it with an input that it made from its own request.
 */
export async function runCall(
  serving: Serving,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { raw, mode }: { raw: unknown; mode: AuthenticationMode | undefined },
): Promise<unknown> {
  const { call } = route;
  const caller = await authenticateCaller(serving, call, request, reply, mode);
  const input = parseInput(call, raw);
  const afterCommit: (() => Promise<void>)[] = [];
  const inTransaction = <T>(work: (context: MemberContext) => Promise<T>): Promise<T> =>
    runInTransaction(serving, call, caller, (db) =>
      work({ ...buildContext(serving, request, reply, db, caller), afterCommit }),
    );
  const manualContext = (): ManualTransactionContext<MemberContext> => ({
    ...contextWithoutDb(serving, request, reply, caller),
    afterCommit,
    inTransaction,
  });
  if (route.prepare) await route.prepare(input, manualContext());
  const data = await runAsHolder(toHolder(caller), async () => {
    if (route.manualTransaction) return call.output.parse(await route.manualTransaction(input, manualContext()));
    if (route.query) return retryOnConflict(() => runQueryHandler(serving, route, input, caller, manualContext()));
    return retryOnConflict(() => {
      afterCommit.length = 0;
      return inTransaction((context) =>
        runIdempotently(route, context, input, () => runHandler(route, input, context)),
      );
    });
  });
  for (const work of afterCommit) await work();
  return data;
}

interface Caller {
  principal: Principal | null;
  guestSession: GuestSession | null;
}
const toHolder = ({ guestSession, principal }: Caller): Holder | null =>
  guestSession ?? (principal && { id: principal.sessionId, tokenHash: principal.tokenHash });
async function authenticateCaller(
  serving: Serving,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  mode: AuthenticationMode | undefined,
): Promise<Caller> {
  // A visitor may be signed in as well: for this call that makes no difference.
  if (call.access === "share") return { principal: null, guestSession: await serving.authenticateGuest(request) };
  const scope = findScope(call);
  const principal = await serving.authenticate(request, reply, mode, scope && [scope]);
  if (call.access !== "anyone" && !principal) refuse("unknownSession");
  if (call.access === "device" ? principal?.kind !== "device" : !hasAccess(call.access, principal?.role))
    refuse("notAllowed");
  // Calls for anyone who is signed in stay allowed: they set up the second step, or choose another institution.
  if (principal?.factorMissing && call.access !== "anyone" && call.access !== "signedIn") refuse("factorRequired");
  return { principal, guestSession: null };
}

function parseInput(call: Call, raw: unknown): unknown {
  const read = readInput(call, raw);
  return "data" in read ? read.data : refuse("badInput", read.fieldErrors);
}

/** A refusal that keeps its writes must leave the transaction as a value, otherwise it would be rolled back. */
async function runInTransaction<T>(
  serving: Serving,
  call: Call,
  caller: Caller,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const transaction = async (db: Db) => {
    try {
      return { value: await work(db) };
    } catch (error) {
      if (error instanceof Refused && error.keepsWrites) return { refused: error };
      throw error;
    }
  };
  const { toleratesDelay } = call;
  const outcome = await serving.database.as(tenantScopeFor(call, caller), transaction, { toleratesDelay });
  if ("refused" in outcome) throw outcome.refused;
  return outcome.value;
}

function tenantScopeFor(call: Call, { principal, guestSession }: Caller): TenantScope {
  const actor = guestSession ? { iid: guestSession.iid, uid: null } : call.access === "anyone" ? null : principal;
  const service = principal !== null && hasAccess(serviceRoles, principal.role);
  return actor ? { system: false, iid: actor.iid, uid: actor.uid, service } : { system: true };
}

function runQueryHandler(
  { database }: Serving,
  { call, query }: Route,
  input: unknown,
  caller: Caller,
  context: ReadContext<MemberContext>,
): Promise<unknown> {
  return database.queryAndWrite(tenantScopeFor(call, caller), {
    queries: query!.queries(input, context),
    writes: auditRowsFor(call, input, context).map(auditStatement),
    read: (rows) => call.output.parse(query!.toOutput(rows as never[], input, context)),
  });
}

const buildContext = (
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  db: Db,
  caller: Caller,
): MemberContext => ({
  ...contextWithoutDb(serving, request, reply, caller),
  db,
  move: (membership) => serving.move(db, caller.principal?.sessionId ?? "", membership),
});

function contextWithoutDb(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  { principal, guestSession }: Caller,
): Omit<MemberContext, "db" | "move"> {
  return {
    database: serving.database,
    config: serving.config,
    language: parseLanguage(request.headers["accept-language"]),
    now: new Date(),
    requestId: request.id,
    address: request.ip,
    request,
    reply,
    subject: null,
    detail: {},
    afterCommit: [],
    principal: principal as MemberContext["principal"],
    guestSession,
  };
}

async function runHandler<C extends Call>(route: Route, input: Parsed<C>, context: MemberContext): Promise<Output<C>> {
  const data = await route.handler(input, context);
  for (const auditRow of auditRowsFor(route.call, input, context)) auditWithCommit(context.db, auditRow);
  return route.call.output.parse(data) as Output<C>;
}

/** Returns the audit row of a call, if the call is audited. */
function auditRowsFor({ audit }: Call, input: unknown, context: ReadContext<MemberContext>): AuditRow[] {
  const { principal, guestSession, subject, detail, address, requestId } = context;
  const actor = guestSession ?? principal;
  if (!audit || !actor) return [];
  return [
    {
      institution_id: actor.iid,
      user_id: guestSession ? null : principal.uid,
      action: audit,
      subject: subject ?? (input as { id?: string } | null)?.id ?? null,
      detail: guestSession
        ? { ...detail, share: guestSession.shareId }
        : principal.app
          ? { ...detail, app: principal.app.id }
          : detail,
      address,
      request_id: requestId,
    },
  ];
}
