import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import type { Principal } from "../http/request-context.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { openLive, type Subscription } from "./live-notifications.ts";

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

describe("live events", () => {
  it("come back over one connection after the database was away, however often it was tried", async () => {
    const shared = inject("postgres");
    const { host, port } = new pg.Client(shared);
    const open = new Set<Socket>();
    let away = false;
    let tries = 0;
    const door = createServer((socket) => {
      tries += 1;
      if (away) return void socket.destroy();
      const inner = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
      open.add(socket.on("error", () => inner.destroy()).on("close", () => open.delete(socket) && inner.destroy()));
      inner.on("error", () => socket.destroy()).on("close", () => socket.destroy());
      socket.pipe(inner).pipe(socket);
    });
    await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
    const through = { host: "127.0.0.1", port: (door.address() as AddressInfo).port };
    const live = await openLive({ ...shared, ...through });
    let told = 0;
    live.listen({ principal, send: (event) => void (told += event === "again" ? 1 : 0) });
    away = true;
    tries = 0;
    for (const socket of open) socket.destroy();
    await pause(2800);
    expect(tries).toBeGreaterThan(2);
    expect(tries).toBeLessThan(8);
    away = false;
    await pause(900);
    expect(open.size).toBe(1);
    expect(told).toBe(1);
    await live.close();
    door.close();
  });

  it("for a thousand streams of one organisation leave turns to other work, in their order and with a true position", async () => {
    const live = await openLive(inject("postgres"));
    const iid = newId();
    const received: string[][] = [];
    let atNextTurn: { streams: number; position: string } | undefined;
    const subscriptions: Subscription[] = [];
    for (let stream = 0; stream < 1000; stream++) {
      const positions: string[] = [];
      received.push(positions);
      const send = (_: unknown, position: string): void => {
        positions.push(position);
        if (stream === 0 && positions.length === 1)
          setImmediate(() => {
            const streams = received.filter((one) => one.length > 0).length;
            atNextTurn = { streams, position: present(subscriptions.at(-1)).position() };
          });
      };
      subscriptions.push(live.listen({ principal: { ...principal, iid }, send }));
    }
    const before = subscriptions[0]?.position();
    await publish(iid, 2);
    await expect.poll(() => received.every((one) => one.length === 2)).toBe(true);
    expect(atNextTurn).toEqual({ streams: 100, position: before });
    expect(new Set(received.map((one) => one.join(" "))).size).toBe(1);
    expect(subscriptions[0]?.position()).toBe(received[0]?.[1]);
    await live.close();
  });

  it("are replaced by one reading again if more than a thousand wait for slow deliveries", async () => {
    const live = await openLive(inject("postgres"));
    const iid = newId();
    const received: string[] = [];
    for (let stream = 0; stream < 150; stream++)
      live.listen({
        principal: { ...principal, iid },
        send: (event) => {
          if (stream > 0) return;
          received.push(event === "again" ? event : event.id);
          // Events arrive faster than they are delivered, on a busy machine, too.
          for (const began = performance.now(); performance.now() - began < 2;);
        },
      });
    await publish(iid, 1500);
    await expect.poll(() => received.includes("again")).toBe(true);
    expect(received.length).toBeLessThan(1500);
    await live.close();
  });

  it("reach a stream that opens between slices once, and its position does not fall", async () => {
    const live = await openLive(inject("postgres"));
    const principalOfOrganisation = { ...principal, iid: newId() };
    const late: { events: string[]; positions: string[] } = { events: [], positions: [] };
    const openLate = (): void => {
      const send = (event: unknown, position: string): void => {
        late.events.push(JSON.stringify(event));
        late.positions.push(position);
      };
      const subscription = live.listen({ principal: principalOfOrganisation, send }, { position: before });
      late.positions.push(subscription.position());
    };
    const before = live.listen({ principal, send: () => {} }).position();
    const received: string[] = [];
    for (let stream = 0; stream < 150; stream++)
      live.listen({
        principal: principalOfOrganisation,
        send: (_, position) => {
          if (stream > 0) return;
          received.push(position);
          if (received.length === 1) setImmediate(openLate);
        },
      });
    await publish(principalOfOrganisation.iid, 3);
    await expect.poll(() => received.length).toBe(3);
    await pause(50);
    expect(late.events).toEqual([0, 1, 2].map((id) => JSON.stringify({ topic: "study", id: `${id}` })));
    const places = late.positions.map((position) => received.indexOf(position));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    await live.close();
  });
});

/** Notifies every process of so many events of an organisation at once. */
async function publish(iid: string, count: number): Promise<void> {
  const client = new pg.Client(inject("postgres"));
  await client.connect();
  const message = (id: number) =>
    JSON.stringify({ to: null, iids: [iid], service: false, topic: "study", id: `${id}` });
  const messages = Array.from({ length: count }, (_, id) => message(id));
  await client.query("select pg_notify('arcada_live', one) from unnest($1::text[]) one", [messages]);
  await client.end();
}
