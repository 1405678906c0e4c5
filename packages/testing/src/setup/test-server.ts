import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { inject } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import type { calls } from "@arcada/contract/calls";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { roles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { passwordCost } from "../../../../apps/server/src/account/password/password-hash.ts";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import {
  newDigits,
  newId,
  newSecret,
  secretHash,
} from "../../../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { provideServices } from "../../../../apps/server/src/platform/runtime/services.ts";
import { start, type RunningServer } from "../../../../apps/server/src/start.ts";
import { sendFile } from "../../../../demo/upload-file.ts";
import { present } from "../require-present.ts";
import { cleanUpAfterFile } from "./file-cleanup.ts";
import { openMailbox } from "./mailbox.ts";
import { copyTemplate } from "./template-database.ts";

passwordCost.memory = 1024;
passwordCost.passes = 1;

type Calls = typeof calls;
export type CallName = { [S in keyof Calls]: `${S & string}.${keyof Calls[S] & string}` }[keyof Calls];
type CallOf<N extends CallName> = N extends `${infer S}.${infer C}`
  ? S extends keyof Calls
    ? C extends keyof Calls[S]
      ? Calls[S][C]
      : never
    : never
  : never;
type InputOf<N extends CallName> = CallOf<N> extends Call ? Input<CallOf<N>> : never;
type OutputOf<N extends CallName> = CallOf<N> extends Call ? Output<CallOf<N>> : never;

export interface Answer<T> extends Envelope<T> {
  status: number;
  headers: Headers;
}
const callsByName = new Map(everyCall().map(({ name, row }) => [name, row]));

/** A user of the test server: identity and calls. Most belong to an institution; `Iid` is null for the others. */
export class TestUser<Iid extends string | null = string> {
  token: string;
  readonly server: TestServer;
  readonly uid: string;
  readonly iid: Iid;
  readonly role: Role;
  readonly name: string;
  constructor(server: TestServer, who: { token: string; uid: string; iid: Iid; role: Role; name: string }) {
    this.server = server;
    this.token = who.token;
    this.uid = who.uid;
    this.iid = who.iid;
    this.role = who.role;
    this.name = who.name;
  }

  /** Returns any answer, rejections too. A token that was replaced is adopted, as every client does. */
  async ask<N extends CallName>(
    name: N,
    input: InputOf<N> | Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Answer<OutputOf<N>>> {
    const sent = { token: this.token, ...headers };
    const answer = await this.server.ask(name, input, sent);
    if (sent.token === this.token) this.token = answer.headers.get("new-token") ?? this.token;
    return answer;
  }
  /** Returns the data; throws if the call is rejected. */
  async call<N extends CallName>(
    name: N,
    input: InputOf<N>,
    headers: Record<string, string> = {},
  ): Promise<OutputOf<N>> {
    const answer = await this.ask(name, input, headers);
    if (answer.code !== 200) throw new Error(`${name}: ${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  }
  /** Answers the upload's id. */
  upload(name: string, bytes: Uint8Array): Promise<string> {
    return sendFile(this.server.address, this.token, name, bytes);
  }
}

/** Any user, with or without an institution. */
export type AnyTestUser = TestUser<string | null>;

/** A server with its own database and data folder, as `npm start` would run it. */
export class TestServer {
  readonly running: RunningServer;
  constructor(startedServer: RunningServer) {
    this.running = startedServer;
  }
  get address(): string {
    return present(this.running.address, "address of the test server");
  }
  async ask<N extends CallName>(
    name: N,
    input: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<OutputOf<N>>> {
    const row = present(callsByName.get(name), `call ${name}`);
    const query = row.method === "GET" ? `?${new URLSearchParams(queryParameters(input))}` : "";
    const response = await fetch(`${this.address}${row.path}${query}`, {
      method: row.method,
      headers: {
        "accept-language": "en",
        ...(row.method === "POST" && { "content-type": "application/json" }),
        ...headers,
      },
      ...(row.method === "POST" && { body: JSON.stringify(input) }),
    });
    const body = (await response.json()) as Envelope<OutputOf<N>>;
    return { ...body, status: response.status, headers: response.headers };
  }

  /** A person with a session, made without the cost of a password. */
  async createUser(role: Role, institution: { id: string }, name?: string): Promise<TestUser>;
  async createUser(role: Role, institution?: null, name?: string): Promise<TestUser<null>>;
  async createUser(role: Role, institution: { id: string } | null, name?: string): Promise<AnyTestUser>;
  async createUser(
    role: Role,
    institution: { id: string } | null = null,
    name = `${role} ${newDigits(4)}`,
  ): Promise<AnyTestUser> {
    const uid = newId();
    const token = newSecret();
    const authorityId = roles[role].authorityId;
    await this.running.database.asSystem(async (db) => {
      await db.insertInto("users").values({ id: uid, nick_name: name, user_name: name }).execute();
      await db
        .insertInto("contact")
        .values({ user_id: uid, kind: "email", value: `${uid}@example.test`, country_code: null })
        .execute();
      if (role !== "newUser")
        await db
          .insertInto("membership")
          .values({
            id: newId(),
            institution_id: institution?.id ?? null,
            user_id: uid,
            authority_id: authorityId,
            state: "normal",
          })
          .execute();
      await db
        .insertInto("session")
        .values({
          id: newId(),
          user_id: uid,
          chain: newId(),
          token_hash: secretHash(token),
          kind: "api",
          institution_id: institution?.id ?? null,
          authority_id: authorityId,
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        })
        .execute();
    });
    return new TestUser(this, { token, uid, iid: institution?.id ?? null, role, name });
  }

  /** As if an operator had allowed it. */
  async allowEnginePacks(iid: string): Promise<void> {
    await this.running.database.asSystem((db) =>
      db.insertInto("engine_pack_permission").values({ institution_id: iid, allowed_by: null }).execute(),
    );
  }

  async createInstitution(
    type: "clinic" | "lab",
    settings: InstitutionSettings = {},
  ): Promise<{ id: string; name: string; number: string }> {
    const id = newId();
    const number = String(nextNumber++);
    const name = settings.name ?? `${type === "clinic" ? "Clinic" : "Lab"} ${number}`;
    await this.running.database.asSystem(async (db) => {
      const by = newId();
      await db.insertInto("users").values({ id: by, nick_name: "founder" }).execute();
      await db
        .insertInto("institution")
        .values({
          id,
          number,
          name,
          type,
          country: "CN",
          created_by: by,
          hide_patient_names: settings.hidePatientNames ?? false,
          time_zone: settings.timeZone ?? null,
        })
        .execute();
    });
    return { id, name, number };
  }
}

const queryParameters = (input: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((input ?? {}) as Record<string, string | number | boolean | null>).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : [[key, String(value)]],
    ),
  );

// By chance, two of some thousand would have one number.
let nextNumber = 10_000_000 + Number(newDigits(7));
let startedServer: Promise<TestServer> | undefined;

/** The test file's server, started when first asked for. */
export const getTestServer = (environment: Record<string, string> = {}): Promise<TestServer> =>
  (startedServer ??= startServer(environment));

async function startServer(environment: Record<string, string>): Promise<TestServer> {
  const connection = await copyTemplate(inject("postgres"), `w_${newId().replaceAll("-", "")}`);
  const routes = process.env.ARCADA_TEST_POOLER ? await openPooler(connection) : {};
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-world-"));
  cleanUpAfterFile(async () => {
    const started = await startedServer?.catch(() => undefined);
    startedServer = undefined;
    await started?.running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const config = readConfig({
    ...routes,
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: process.env.ARCADA_TEST_LOG ?? "silent",
    ARCADA_DEMO: "off",
    ANALYSIS_AUTO: "off",
    ...environment,
  });
  const running = await start(config, { connection });
  if (config.SMTP_URL === undefined && config.SMS_URL === undefined) provideServices({ mail: openMailbox() });
  return new TestServer(running);
}

/** The peer is loaded only if it is asked for, because it brings many modules. */
const openPooler = async (connection: pg.PoolConfig) =>
  (await import("../peers/pgbouncer.ts")).openPoolerForFile(connection);

interface InstitutionSettings {
  hidePatientNames?: boolean;
  name?: string;
  /** Defaults to the time zone of China. */
  timeZone?: string;
}

export interface TestSetup {
  server: TestServer;
  /** The clinic's manager, and a dentist there. */
  clinic: TestUser;
  dentist: TestUser;
  lab: TestUser;
  designer: TestUser;
}

/** A clinic and a lab that work with each other. */
export async function setup(
  settings: { clinic?: InstitutionSettings; lab?: InstitutionSettings; related?: boolean } = {},
): Promise<TestSetup> {
  const testServer = await getTestServer();
  const [clinicInstitution, labInstitution] = [
    await testServer.createInstitution("clinic", settings.clinic),
    await testServer.createInstitution("lab", settings.lab),
  ];
  const [clinic, dentist, lab, designer] = [
    await testServer.createUser("clinicAdmin", clinicInstitution),
    await testServer.createUser("clinicMember", clinicInstitution),
    await testServer.createUser("factoryAdmin", labInstitution),
    await testServer.createUser("factoryMember", labInstitution),
  ];
  if (settings.related !== false)
    await testServer.running.database.asSystem((db) =>
      db
        .insertInto("relation")
        .values({
          id: newId(),
          institution_id: clinicInstitution.id,
          target_id: labInstitution.id,
          state: "established",
          requested_by: clinic.uid,
          resent_at: null,
          decided_at: null,
          established_at: new Date().toISOString(),
          left_by: null,
          left_at: null,
          reason: null,
        })
        .execute(),
    );
  return { server: testServer, clinic, dentist, lab, designer };
}
