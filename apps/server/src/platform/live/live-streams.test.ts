import { connect } from "node:net";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { server } from "../../../../../tests/world.ts";
import type { Person, TestServer } from "../../../../../tests/world.ts";
import { notifyClients } from "../events/events.ts";
import { mostStreams } from "./live-streams.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const stream = (here: TestServer, who: Person, signal?: AbortSignal) =>
  fetch(`${here.running.address}/v1/notice/stream`, { headers: { token: who.token }, ...(signal && { signal }) });
const wakes = (here: TestServer, who: Person, id: string) =>
  here.running.database.asSystem((db) => notifyClients(db, { user: who.uid }, "notice", id));
/** Returns everything that a stream sends until someone ends it. */
async function heard(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body!) text += decoder.decode(bytes as Uint8Array, { stream: true });
  } catch {
    text += "(cut)";
  }
  return text;
}

describe("the live stream", () => {
  it("tells what happened between the page's first reading and the stream, and all anew where that is too long ago", async () => {
    const here = await server();
    const who = await here.person("clinicAdmin", await here.institution("clinic"));
    const other = await here.person("clinicAdmin", await here.institution("clinic"));
    await wakes(here, who, "before-the-stream");
    await wakes(here, other, "of-another");
    await pause(200);
    const says = async (ago: number) => {
      const going = new AbortController();
      const response = await fetch(`${here.running.address}/v1/notice/stream?ago=${ago}`, {
        headers: { token: who.token },
        signal: going.signal,
      });
      setTimeout(() => going.abort(), 300);
      return heard(response);
    };
    // The margin must lie within the life of this server.
    await vi.waitFor(async () => expect(await says(400)).toContain("before-the-stream"), { timeout: 8000 });
    expect(await says(400)).not.toMatch(/of-another|again/);
    expect(await says(60_000)).toContain("event: again");
  });

  it("ends within a second of its session, by one question for all streams; another's goes on", async () => {
    const here = await server();
    const house = await here.institution("clinic");
    const [leaves, stays] = [await here.person("clinicAdmin", house), await here.person("clinicMember", house)];
    const ends = [heard(await stream(here, leaves)), heard(await stream(here, leaves))];
    const going = new AbortController();
    const rest = heard(await stream(here, stays, going.signal));
    await pause(700);
    const began = Date.now();
    await here.running.database.asSystem((db) =>
      sql`update session set ended_at = now(), end_reason = 'test' where user_id = ${leaves.uid}`.execute(db),
    );
    await Promise.all(ends);
    expect(Date.now() - began).toBeLessThan(1000);
    await wakes(here, stays, "still-there");
    await pause(300);
    going.abort();
    expect(await rest).toContain("still-there");
  });

  it("of somebody who was removed from the organisation, or suspended, ends too", async () => {
    const here = await server();
    const house = await here.institution("clinic");
    const [removed, suspended] = [await here.person("clinicMember", house), await here.person("clinicMember", house)];
    const ends = [heard(await stream(here, removed)), heard(await stream(here, suspended))];
    const began = Date.now();
    await here.running.database.asSystem(async (db) => {
      await sql`update membership set state = 'deleted' where user_id = ${removed.uid}`.execute(db);
      await sql`update users set suspended_at = now() where id = ${suspended.uid}`.execute(db);
    });
    await Promise.all(ends);
    expect(Date.now() - began).toBeLessThan(1000);
  });

  it("leaves out a reader that does not read, before much waits for it, and tells it so; others miss nothing", async () => {
    const here = await server();
    const who = await here.person("clinicAdmin", await here.institution("clinic"));
    const { hostname, port } = new URL(here.running.address!);
    const slow = connect({ port: Number(port), host: hostname });
    slow.write(`GET /v1/notice/stream HTTP/1.1\r\nhost: ${hostname}\r\ntoken: ${who.token}\r\n\r\n`);
    await pause(300);
    slow.pause();
    const going = new AbortController();
    const reads = heard(await stream(here, who, going.signal));
    const long = "x".repeat(5000);
    for (let round = 0; round < 400; round++)
      await here.running.database.asSystem(async (db) => {
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
    await wakes(here, who, "in-step-again");
    await vi.waitFor(() => expect(late).toContain("in-step-again"), { timeout: 5000 });
    slow.destroy();
  });

  it("is given to one person only so often", async () => {
    const here = await server();
    const who = await here.person("clinicAdmin", await here.institution("clinic"));
    const all = new AbortController();
    for (let open = 0; open < mostStreams; open++) expect((await stream(here, who, all.signal)).status).toBe(200);
    expect((await stream(here, who, all.signal)).status).toBe(429);
    all.abort();
    await pause(200);
    const again = new AbortController();
    expect((await stream(here, who, again.signal)).status).toBe(200);
    again.abort();
  });
});
