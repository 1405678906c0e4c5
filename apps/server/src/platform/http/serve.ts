import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { z } from "zod";
import type { KeyScope } from "@arcada/contract/interface/interface.rules";
import type { DeviceScope } from "@arcada/contract/device/device.rules";
import { scopeOf } from "@arcada/contract/interface/scopes";
import { readInput } from "@arcada/contract/kernel/call";
import type { Call, CallTable, Output, Parsed } from "@arcada/contract/kernel/call";
import { successCode } from "@arcada/contract/kernel/refusals";
import { mayRole, serviceRoles } from "@arcada/contract/kernel/roles";
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
import { auditLine, auditWithCommit } from "../audit/audit.ts";
import type { AuditRow } from "../audit/audit.ts";
import type { Config } from "../runtime/config.ts";
import type { Database, Db, TenantScope } from "../database/database.ts";
import { answerFor } from "../live/session-queue.ts";
import type { Holder } from "../live/session-queue.ts";
import { Refused, refuse } from "./refuse.ts";
import { languageOf } from "../text/texts.ts";

type ContextOf<C extends Call> = C["access"] extends "anyone"
  ? Context
  : C["access"] extends "signedIn"
    ? AuthenticatedContext
    : MemberContext;
type Handler<C extends Call> = (input: Parsed<C>, context: ContextOf<C>) => Promise<z.input<C["output"]>>;
/** A handler that opens its transactions itself. */
interface Apart<C extends Call> {
  apart: (input: Parsed<C>, context: ManualTransactionContext<ContextOf<C>>) => Promise<z.input<C["output"]>>;
}
/**
 * A handler that adds more than data to its response: `again` runs when a repeated command receives the first answer.
 */
interface Repeated<C extends Call> {
  first: Handler<C>;
  again: (answer: Output<C>, context: ContextOf<C>) => Promise<void>;
}
/** A handler that does slow work before its transaction begins. */
interface Prepared<C extends Call> {
  before: (input: Parsed<C>, context: ManualTransactionContext<ContextOf<C>>) => Promise<void>;
  within: Handler<C>;
}
/** A handler that only reads: its queries, the audit row and the commit take one round trip. */
interface Asked<C extends Call> {
  /** The rows of the last query are passed to `answer`. */
  question: (input: Parsed<C>, context: Asking<ContextOf<C>>) => readonly RawBuilder<unknown>[];
  answer: (rows: never[], input: Parsed<C>, context: Asking<ContextOf<C>>) => z.input<C["output"]>;
}
type Asking<C extends Context> = Omit<C, "db" | "move">;
export type Handlers<T extends CallTable> = {
  [K in keyof T]: Handler<T[K]> | Apart<T[K]> | Repeated<T[K]> | Prepared<T[K]> | Asked<T[K]>;
};
export interface Route {
  call: Call;
  handler: (input: unknown, context: MemberContext) => Promise<unknown>;
  apart?: (input: unknown, context: ManualTransactionContext<MemberContext>) => Promise<unknown>;
  again?: (answer: unknown, context: MemberContext) => Promise<void>;
  before?: (input: unknown, context: ManualTransactionContext<MemberContext>) => Promise<void>;
  asked?: Asked<Call>;
}
/** Pairs the calls of a feature module with their handlers; the compiler reports missing ones. */
export const routes = <T extends CallTable>(table: T, handlers: Handlers<T>): Route[] =>
  Object.keys(table).map((name) => {
    const call = table[name]!;
    const handler = handlers[name] as unknown as
      | Route["handler"]
      | { apart: NonNullable<Route["apart"]> }
      | { first: Route["handler"]; again: NonNullable<Route["again"]> }
      | { before: NonNullable<Route["before"]>; within: Route["handler"] }
      | NonNullable<Route["asked"]>;
    if (typeof handler === "function") return { call, handler };
    if ("again" in handler) return { call, handler: handler.first, again: handler.again };
    if ("before" in handler) return { call, handler: handler.within, before: handler.before };
    // Answers of commands, and audit rows of such handlers, would have to be written in the handler's transaction.
    if ("question" in handler && !call.command) return { call, handler: noTransaction, asked: handler };
    if (call.command || call.audit || !("apart" in handler))
      throw new Error(`${call.path} cannot be answered apart from a transaction`);
    return { call, handler: noTransaction, apart: handler.apart };
  });
const noTransaction = () => Promise.reject(new Error("a handler without a transaction"));

/**
 * "stays": long-running. "upload": the same, also after the session was locked. "whileLocked": allowed while locked.
 */
export type Endurance = "stays" | "upload" | "whileLocked";
/**
 * Returns the principal of a request, or null for none; refuses a token that is known to be invalid. Long-running
 * requests (streams, uploads) pass `stays`: they are checked again and again, and their response comes late or never,
 * so that it cannot carry a new token; a token that was replaced meanwhile ends the request and not the session.
 * `scopes`: an API key must have one of them; if none is named, no key is accepted.
 */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  how?: Endurance,
  scopes?: readonly (KeyScope | DeviceScope)[],
) => Promise<Principal | null>;
export interface Serving {
  database: Database;
  config: Config;
  authenticate: Authenticate;
  move(db: Db, sessionId: string, place: ActiveMembership): Promise<{ token: string }>;
  /** Returns the guest session of a request; refuses if there is none. */
  visit(request: FastifyRequest): Promise<GuestSession>;
}

/** Serves a call in this order: authentication, role, parse input, handler, audit, parse output, envelope. */
export function serve(app: FastifyInstance, serving: Serving, all: Route[]): void {
  for (const route of all)
    app.route({
      method: route.call.method,
      url: route.call.path,
      ...(route.call.bodyMost !== undefined && { bodyLimit: route.call.bodyMost }),
      handler: (request, reply) => answer(serving, route, request, reply),
    });
}

async function answer(serving: Serving, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { call } = route;
  const who = await whoAsks(serving, call, request, reply);
  const input = parse(call, call.method === "GET" ? request.query : (request.body ?? {}));
  const afterCommit: (() => Promise<void>)[] = [];
  const inTransaction = <T>(work: (context: MemberContext) => Promise<T>): Promise<T> =>
    inOneTransaction(serving, call, who, (db) => work({ ...contextOf(serving, request, reply, db, who), afterCommit }));
  const apart = (): ManualTransactionContext<MemberContext> => ({
    ...apartOf(serving, request, reply, who),
    afterCommit,
    inTransaction,
  });
  if (route.before) await route.before(input, apart());
  const data = await answerFor(holderOf(who), async () => {
    if (route.apart) return call.output.parse(await route.apart(input, apart()));
    if (route.asked) return retryOnConflict(() => inOneTrip(serving, route, input, who, apart()));
    return retryOnConflict(() => {
      afterCommit.length = 0;
      return inTransaction((context) => once(route, context, input, () => handle(route, input, context)));
    });
  });
  for (const work of afterCommit) await work();
  return reply.send({ code: successCode, msg: "", data });
}

interface Who {
  asker: Principal | null;
  visit: GuestSession | null;
}
const holderOf = ({ visit, asker }: Who): Holder | null =>
  visit ?? (asker && { id: asker.sessionId, seal: asker.seal });
async function whoAsks(serving: Serving, call: Call, request: FastifyRequest, reply: FastifyReply): Promise<Who> {
  // A visitor may be signed in as well: for this call that makes no difference.
  if (call.access === "share") return { asker: null, visit: await serving.visit(request) };
  const scope = scopeOf(call);
  const how = call.whileLocked ? "whileLocked" : undefined;
  const asker = await serving.authenticate(request, reply, how, scope && [scope]);
  if (call.access !== "anyone" && !asker) refuse("unknownSession");
  if (call.access === "device" ? asker?.kind !== "device" : !mayRole(call.access, asker?.role)) refuse("notAllowed");
  // Calls for anyone who is signed in stay allowed: they set up the second step, or choose another institution.
  if (asker?.factorMissing && call.access !== "anyone" && call.access !== "signedIn") refuse("factorRequired");
  return { asker, visit: null };
}

function parse(call: Call, raw: unknown): unknown {
  const read = readInput(call, raw);
  return "data" in read ? read.data : refuse("badInput", read.wrong);
}

/** A refusal that keeps its writes must leave the transaction as a value, otherwise it would be rolled back. */
async function inOneTransaction<T>(serving: Serving, call: Call, who: Who, work: (db: Db) => Promise<T>): Promise<T> {
  const outcome = await serving.database.as(wallFor(call, who), async (db) => {
    try {
      return { value: await work(db) };
    } catch (error) {
      if (error instanceof Refused && error.keep) return { refused: error };
      throw error;
    }
  });
  if ("refused" in outcome) throw outcome.refused;
  return outcome.value;
}

function wallFor(call: Call, { asker, visit }: Who): TenantScope {
  const inside = visit ? { iid: visit.iid, uid: null } : call.access === "anyone" ? null : asker;
  const service = asker !== null && mayRole(serviceRoles, asker.role);
  return inside ? { system: false, iid: inside.iid, uid: inside.uid, service } : { system: true };
}

function inOneTrip(
  { database }: Serving,
  { call, asked }: Route,
  input: unknown,
  who: Who,
  context: Asking<MemberContext>,
): Promise<unknown> {
  return database.ask(wallFor(call, who), {
    questions: asked!.question(input, context),
    written: lineOf(call, input, context).map(auditLine),
    read: (rows) => call.output.parse(asked!.answer(rows as never[], input, context)),
  });
}

const contextOf = (
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  db: Db,
  who: Who,
): MemberContext => ({
  ...apartOf(serving, request, reply, who),
  db,
  move: (place) => serving.move(db, who.asker?.sessionId ?? "", place),
});

function apartOf(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  { asker, visit }: Who,
): Omit<MemberContext, "db" | "move"> {
  return {
    database: serving.database,
    config: serving.config,
    language: languageOf(request.headers["accept-language"]),
    now: new Date(),
    requestId: request.id,
    address: request.ip,
    request,
    reply,
    subject: null,
    detail: {},
    afterCommit: [],
    asker: asker as MemberContext["asker"],
    visit,
  };
}

async function handle<C extends Call>(route: Route, input: Parsed<C>, context: MemberContext): Promise<Output<C>> {
  const data = await route.handler(input, context);
  for (const line of lineOf(route.call, input, context)) auditWithCommit(context.db, line);
  return route.call.output.parse(data) as Output<C>;
}

/** Returns the audit row of a call, if the call is audited. */
function lineOf({ audit }: Call, input: unknown, context: Asking<MemberContext>): AuditRow[] {
  const { asker, visit, subject, detail, address, requestId } = context;
  const inside = visit ?? asker;
  if (!audit || !inside) return [];
  return [
    {
      institution_id: inside.iid,
      user_id: visit ? null : asker.uid,
      action: audit,
      subject: subject ?? (input as { id?: string } | null)?.id ?? null,
      detail: visit ? { ...detail, share: visit.shareId } : detail,
      address,
      request_id: requestId,
    },
  ];
}

/**
 * Runs a command with an `idempotency-key` once: the row is written first, so that a second request with the same key
 * waits for the first one's transaction and then reads its answer.
 */
async function once(
  { call, again }: Route,
  context: MemberContext,
  input: unknown,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const key = context.request.headers["idempotency-key"];
  if (!call.command || typeof key !== "string" || key.length > 200 || !context.asker) return run();
  const { db, asker } = context;
  const fingerprint = createHash("sha256").update(JSON.stringify(input)).digest("hex");
  const first = await sql`insert into idempotency (user_id, key, call, fingerprint)
    values (${asker.uid}, ${key}, ${call.path}, ${fingerprint}) on conflict do nothing`.execute(db);
  if (first.numAffectedRows === 0n) {
    const known = await db
      .selectFrom("idempotency")
      .selectAll()
      .where("user_id", "=", asker.uid)
      .where("key", "=", key)
      .executeTakeFirstOrThrow();
    if (known.call !== call.path || known.fingerprint !== fingerprint) refuse("keyReused");
    await again?.(known.answer, context);
    return known.answer;
  }
  const data = await run().catch(async (error: unknown) => {
    // A refusal that keeps its writes is not stored as an answer: the command may be sent again.
    if (error instanceof Refused && error.keep)
      await sql`delete from idempotency where user_id = ${asker.uid} and key = ${key}`.execute(db);
    throw error;
  });
  await sql`update idempotency set answer = ${JSON.stringify(data)}::jsonb where user_id = ${asker.uid} and key = ${key}`.execute(
    db,
  );
  return data;
}
