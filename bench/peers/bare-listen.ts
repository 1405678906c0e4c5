import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import pg from "pg";
import { peerSettings } from "./peer-process.ts";

export interface BareListen {
  connection: pg.PoolConfig;
}
/** The payload of a notification: the groups that receive it, and the id of the event. */
export interface BareEvent {
  to: string[];
  id: string;
}

// Forwards a notification to the sockets of its groups and nothing else, without authentication.
const client = new pg.Client(peerSettings<BareListen>().connection);
const groups = new Map<Socket, string>();
client.on("notification", ({ payload }) => {
  const { to, id } = JSON.parse(payload ?? "{}") as BareEvent;
  for (const [socket, group] of groups) if (to.includes(group)) socket.write(`{"id":"${id}"}\n`);
});
await client.connect();
await client.query("listen bare_events");
const server = createServer((socket) => {
  socket.once("data", (name) => groups.set(socket, name.toString().trim()));
  socket.on("error", () => socket.destroy()).on("close", () => groups.delete(socket));
});
process.once("SIGTERM", () => process.exit(0));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
