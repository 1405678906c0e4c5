import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import path from "node:path";

/** A connection to the database that a test can cut, hold and restore, or lead to another server. */
export async function startDatabaseProxy(url: string) {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isPaused = false;
  let sentBytes = 0;
  const connectClient = (client: Socket): void => {
    const socket = target.searchParams.get("host");
    const behind = socket
      ? connect(path.join(socket, `.s.PGSQL.${target.port || target.searchParams.get("port") || 5432}`))
      : connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on("data", (bytes) => void other.write(bytes));
      if (isPaused) one.pause();
    }
    client.on("data", (bytes) => void (sentBytes += bytes.length));
  };
  const open = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer(connectClient);
      server.listen(port, "127.0.0.1", () => resolve(server));
    });
  let server = await open(0);
  const { port } = server.address() as AddressInfo;
  const disconnect = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const one of sockets) one.destroy();
    await closed;
  };
  return {
    url: `postgres://${target.username}${target.password && `:${target.password}`}@127.0.0.1:${port}${target.pathname}`,
    /** Returns the number of bytes that clients have sent through it. */
    countSentBytes: () => sentBytes,
    breaks: disconnect,
    /** Later connections reach this server, as those to a virtual address do after a failover. */
    pointTo: (other: string) => {
      target = new URL(other);
      for (const one of sockets) one.destroy();
    },
    hold: () => {
      isPaused = true;
      for (const one of sockets) one.pause();
    },
    resume: async () => {
      isPaused = false;
      for (const one of sockets) one.resume();
      if (!server.listening) server = await open(port);
    },
  };
}
