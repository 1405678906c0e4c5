import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import pg from "pg";
import { peerSettings } from "./peer.ts";

export interface BareListen {
  connection: pg.PoolConfig;
}
/** What travels: the groups that are told, and what. */
export interface BareEvent {
  to: string[];
  id: string;
}

// A notification written to the sockets of the groups that it names and nothing else: nobody is asked who they are.
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
