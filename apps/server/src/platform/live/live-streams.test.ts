import { connect } from "node:net";
import Fastify from "fastify";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it, vi } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";
import type { TestUser, TestServer } from "@arcada/testing/setup/test-server";
import type { Principal } from "../http/request-context.ts";
import { notifyClients } from "../events/events.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import type { Listener } from "./delivery-queue.ts";
import { StreamCounts, maxInstitutionStreams, maxStreams, serveLive } from "./live-streams.ts";
import { present } from "@arcada/testing/require-present";
import { recordTransactions } from "@arcada/testing/tools/query-spy";
import { scaleToIdleMachine } from "@arcada/testing/tools/idle-machine-time";

const principal: Principal = {
  sessionId: "",
  tokenHash: "",
  uid: "",
  name: "",
  iid: null,
  role: "newUser",
  kind: "api",
  timeZone: "UTC",
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const stream = (env: TestServer, who: TestUser, signal?: AbortSignal) =>
  fetch(`${env.address}/v1/notice/stream`, { headers: { token: who.token }, ...(signal && { signal }) });
const wakes = (env: TestServer, who: TestUser, id: string) =>
  env.running.database.asSystem((db) => notifyClients(db, { user: who.uid }, "notice", id));
const endSession = (env: TestServer, { uid }: TestUser) =>
  env.running.database.asSystem((db) =>
    sql`update session set ended_at = now(), end_reason = 'test' where user_id = ${uid}`.execute(db),
  );
/** Cuts the connection on which the server listens; it opens another one half a second later. */
async function cutListener(env: TestServer): Promise<void> {
  const { rows } = await env.running.database.pool.query<{ name: string }>("select current_database() as name");
  const admin = new pg.Client(inject("postgres"));
  await admin.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'arcada live' and datname = $1",
    [present(rows[0]).name],
  );
  await admin.end();
}
/** Returns everything that a stream sends until someone ends it. */
async function heard(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of present(response.body, "body"))
      text += decoder.decode(bytes as Uint8Array, { stream: true });
  } catch {
    text += "(cut)";
  }
  return text;
}

describe("the live stream", () => {
  it("has no chunks, and says that it ends with its connection", async () => {
    const env = await getTestServer();
    const who = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const going = new AbortController();
    const { headers } = await stream(env, who, going.signal);
    going.abort();
    expect([headers.get("connection"), headers.get("transfer-encoding")]).toEqual(["close", null]);
  });

  it("is not opened by a request for its headers alone", async () => {
    const { address } = await getTestServer();
    const response = await fetch(`${address}/v1/notice/stream`, { method: "HEAD" });
    expect(response.status).toBe(404);
  });

  it("sends the events between the page's first request and the stream, and a reload if that is too long ago", async () => {
    const env = await getTestServer();
    const who = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const other = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const says = async (ago: number) => {
      const going = new AbortController();
      const response = await fetch(`${env.address}/v1/notice/stream?ago=${ago}`, {
        headers: { token: who.token },
        signal: going.signal,
      });
      setTimeout(() => going.abort(), 300);
      return heard(response);
    };
    // A server that is younger than the margin can only ask for a reload, so the events come after that.
    await vi.waitFor(async () => expect(await says(400)).not.toContain("again"), { timeout: 8000 });
    await wakes(env, who, "before-the-stream");
    await wakes(env, other, "of-another");
    await pause(200);
    const replayed = await says(400);
    expect(replayed).toContain("before-the-stream");
    expect(replayed).not.toMatch(/of-another|again/);
    expect(await says(60_000)).toContain("event: again");
  });

  it("goes on behind the last id that a client read, on the heartbeat's id too, and asks for a reload behind any other", async () => {
    const env = await getTestServer();
    const who = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const says = async (position: string) => {
      const going = new AbortController();
      const headers = { token: who.token, "last-event-id": position };
      const response = await fetch(`${env.address}/v1/notice/stream?ago=0`, { headers, signal: going.signal });
      setTimeout(() => going.abort(), 300);
      return heard(response);
    };
    const lastId = (text: string) => present([...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1], "id");
    const place = lastId(await says("none of ours"));
    for (const id of ["missed-1", "missed-2"]) await wakes(env, who, id);
    await pause(200);
    const rest = await says(place);
    expect(rest.match(/missed-\d/g)).toEqual(["missed-1", "missed-2"]);
    expect(rest).not.toContain("again");
    const behindFirst = present(/^id: (.+)\ndata: .*missed-1/m.exec(rest)?.[1], "id");
    expect((await says(behindFirst)).match(/missed-\d/g)).toEqual(["missed-2"]);
    expect(await says(lastId(rest))).not.toMatch(/missed|again/);
    for (const unknown of ["AAAAAAAAAAAA", "", "x".repeat(4000)]) expect(await says(unknown)).toContain("event: again");
  });

  it("brings one event to the people of 5,000 organisations, once to each", async () => {
    const env = await getTestServer();
    const createPerson = async () => env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const people = [await createPerson(), await createPerson(), await createPerson()] as const;
    const going = new AbortController();
    const texts = await Promise.all(people.map(async (who) => ({ text: heard(await stream(env, who, going.signal)) })));
    const institutions = [people[0].iid, ...Array.from({ length: 4998 }, () => newId()), people[1].iid];
    await env.running.database.asSystem((db) => notifyClients(db, { institutions }, "upgrade", "for-5000"));
    await pause(1000);
    going.abort();
    const counts = await Promise.all(texts.map(async ({ text }) => (await text).split("for-5000").length - 1));
    expect(counts).toEqual([1, 1, 0]);
  });

  it("ends within a second of its session, by one query for all streams, and another session's stream continues", async () => {
    const env = await getTestServer();
    const house = await env.createInstitution("clinic");
    const [leaves, stays] = [await env.createUser("clinicAdmin", house), await env.createUser("clinicMember", house)];
    const ends = [heard(await stream(env, leaves)), heard(await stream(env, leaves))];
    const going = new AbortController();
    const rest = heard(await stream(env, stays, going.signal));
    await pause(700);
    const began = Date.now();
    await endSession(env, leaves);
    await Promise.all(ends);
    expect(scaleToIdleMachine(Date.now() - began)).toBeLessThan(1000);
    await wakes(env, stays, "still-there");
    await pause(300);
    going.abort();
    expect(await rest).toContain("still-there");
  });

  it("of a user who was removed from the organisation, or suspended, ends too", async () => {
    const env = await getTestServer();
    const house = await env.createInstitution("clinic");
    const [removed, suspended] = [
      await env.createUser("clinicMember", house),
      await env.createUser("clinicMember", house),
    ];
    const ends = [heard(await stream(env, removed)), heard(await stream(env, suspended))];
    const began = Date.now();
    await env.running.database.asSystem(async (db) => {
      await sql`update membership set state = 'deleted' where user_id = ${removed.uid}`.execute(db);
      await sql`update users set suspended_at = now() where id = ${suspended.uid}`.execute(db);
    });
    await Promise.all(ends);
    expect(scaleToIdleMachine(Date.now() - began)).toBeLessThan(1000);
  });

  it("ends when its session expires", async () => {
    const env = await getTestServer();
    const who = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const end = heard(await stream(env, who));
    const began = Date.now();
    await env.running.database.asSystem((db) =>
      sql`update session set expires_at = now() + interval '2 s' where user_id = ${who.uid}`.execute(db),
    );
    await end;
    expect(Date.now() - began).toBeGreaterThan(1900);
    expect(scaleToIdleMachine(Date.now() - began)).toBeLessThan(3000);
  });

  it("ends if its session ended while the process did not listen to the database", async () => {
    const env = await getTestServer();
    const who = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const end = heard(await stream(env, who));
    await pause(700);
    await cutListener(env);
    await endSession(env, who);
    await Promise.race([end, pause(10_000).then(() => expect.unreachable("it goes on"))]);
  });

  it("asks the database about no session that did not change", async () => {
    const env = await getTestServer();
    const house = await env.createInstitution("clinic");
    const [stays, leaves] = [await env.createUser("clinicAdmin", house), await env.createUser("clinicMember", house)];
    const going = new AbortController();
    await stream(env, stays, going.signal);
    const ended = heard(await stream(env, leaves));
    await pause(700);
    const countQueries = async (work: () => Promise<unknown>) =>
      (await recordTransactions(work)).filter(({ statements }) => statements.join().includes("from session held"))
        .length;
    expect(await countQueries(() => pause(1600))).toBe(0);
    const end = async () => {
      await endSession(env, leaves);
      await ended;
      await pause(1600);
    };
    expect(await countQueries(end)).toBe(1);
    going.abort();
  });

  it("drops a client that does not read before much waits for it, and notifies it; other clients miss nothing", async () => {
    const env = await getTestServer();
    const who = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const { hostname, port } = new URL(env.address);
    const slow = connect({ port: Number(port), host: hostname });
    slow.write(`GET /v1/notice/stream HTTP/1.1\r\nhost: ${hostname}\r\ntoken: ${who.token}\r\n\r\n`);
    await pause(300);
    slow.pause();
    const going = new AbortController();
    const reads = heard(await stream(env, who, going.signal));
    const long = "x".repeat(5000);
    for (let round = 0; round < 400; round++)
      await env.running.database.asSystem(async (db) => {
        for (let turn = 0; turn < 10; turn++)
          await notifyClients(db, { user: who.uid }, "notice", `${round}-${turn}-${long}`);
      });
    await pause(500);
    going.abort();
    expect((await reads).split("data: ").length - 1).toBe(4000);
    let late = "";
    slow.on("data", (bytes: Buffer) => (late += bytes.toString()));
    slow.resume();
    await vi.waitFor(() => expect(late).toContain("event: again"), { timeout: 10_000 });
    expect(late.split("data: ").length - 1).toBeLessThan(3500);
    await wakes(env, who, "in-step-again");
    await vi.waitFor(() => expect(late).toContain("in-step-again"), { timeout: 5000 });
    slow.destroy();
  });

  it("is limited in how often one user may open it", async () => {
    const env = await getTestServer();
    const who = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
    const all = new AbortController();
    for (let open = 0; open < maxStreams; open++) expect((await stream(env, who, all.signal)).status).toBe(200);
    expect((await stream(env, who, all.signal)).status).toBe(429);
    all.abort();
    const again = new AbortController();
    // The server learns of the closed connections one by one.
    await vi.waitFor(async () => expect((await stream(env, who, again.signal)).status).toBe(200), { timeout: 10_000 });
    again.abort();
  });

  it("keeps nothing of a client that left while its session was read", async () => {
    const app = Fastify();
    const [listening, left] = [new Set(), Promise.withResolvers<void>()];
    const authenticate = async (request: FastifyRequest) => {
      request.raw.socket.once("close", () => setTimeout(left.resolve, 50));
      await left.promise;
      return principal;
    };
    const listen = (listener: object) => {
      listening.add(listener);
      return { stop: () => void listening.delete(listener), position: () => "" };
    };
    const live = { listen, position: () => "", observe: () => {}, observeSessions: () => {}, close: async () => {} };
    serveLive(app, { live, authenticate, findValidSessions: async () => new Map() });
    const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
    const client = connect(Number(port), "127.0.0.1");
    client.write("GET /v1/notice/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    setTimeout(() => client.destroy(), 200);
    await left.promise;
    await pause(100);
    expect(listening.size).toBe(0);
    await app.close();
  });

  it("waits for the answer of an earlier request on its connection, and misses nothing meanwhile", async () => {
    const app = Fastify();
    const [earlier, opened] = [Promise.withResolvers<string>(), Promise.withResolvers<Listener>()];
    app.get("/earlier", () => earlier.promise);
    const listen = (listener: Listener) => {
      opened.resolve(listener);
      return { stop: () => {}, position: () => "place" };
    };
    const live = { listen, observe: () => {}, observeSessions: () => {}, close: async () => {} };
    serveLive(app, { live, authenticate: async () => principal, findValidSessions: async () => new Map() });
    const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
    const client = connect(Number(port), "127.0.0.1");
    let text = "";
    client.on("data", (bytes: Buffer) => (text += bytes.toString()));
    for (const path of ["/earlier", "/v1/notice/stream"])
      client.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    const listener = await opened.promise;
    listener.send({ topic: "order", id: "meanwhile" }, "1");
    earlier.resolve("the answer");
    await vi.waitFor(() => expect(text).toContain("meanwhile"));
    listener.send({ topic: "order", id: "afterwards" }, "2");
    await vi.waitFor(() => expect(text).toMatch(/the answer[^]*: open[^]*id: place[^]*meanwhile[^]*afterwards/));
    client.destroy();
    await app.close();
  });

  it("is limited in how many people of one institution may open it, and not by others", () => {
    const counts = new StreamCounts();
    for (let n = 0; n < maxInstitutionStreams; n++) counts.add({ uid: `u${n}`, iid: "large" }, 1);
    expect(counts.isFull({ uid: "next", iid: "large" })).toBe(true);
    expect(counts.isFull({ uid: "next", iid: "other" })).toBe(false);
    counts.add({ uid: "u0", iid: "large" }, -1);
    expect(counts.isFull({ uid: "next", iid: "large" })).toBe(false);
  });
});
