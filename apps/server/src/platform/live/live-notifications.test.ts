import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { openLive } from "./live-notifications.ts";

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
    live.listen({
      principal: {
        sessionId: "",
        tokenHash: "",
        uid: "",
        name: "",
        iid: null,
        role: "newUser",
        kind: "api",
        timeZone: "UTC",
      },
      send: (event) => void (told += event === "again" ? 1 : 0),
    });
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
});
