import { createServer, type Socket } from "node:net";
import { StartError } from "../kernel/config.ts";
import { serveAssociation, type House, type Sender } from "./association.ts";

const receiverRules = {
  connections: 64,
  /** Of one calling application. */
  associations: 8,
  patience: { firstMs: 10_000, betweenMs: 120_000, withinMs: 30_000 },
} as const;

export interface Receiver {
  port: number;
  /** Objects under way are finished for a moment; what is not acknowledged then, its sender sends again. */
  close(): Promise<void>;
}
/** Null: no such application. */
type Admit = (callingTitle: string, address: string) => Promise<Sender | null>;

interface Listening {
  host: string;
  port: number;
  /** Which setting the port stands in. */
  setting: string;
  /** What devices call. */
  title: string;
}

/** Listens for devices that speak DICOM itself. */
export async function openReceiver(
  { host, port, setting, title }: Listening,
  admit: Admit,
  patience: House["patience"] = receiverRules.patience,
): Promise<Receiver> {
  const house: House = { title, patience, admit: counted(admit) };
  const open = new Map<Socket, Promise<void>>();
  const server = createServer({ noDelay: true }, (socket) => {
    // Without a listener a connection that breaks would end this process.
    socket.on("error", () => {});
    const serving = serveAssociation(socket, house).finally(() => open.delete(socket));
    open.set(socket, serving);
  });
  server.maxConnections = receiverRules.connections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, port, setting)));
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      server.close();
      for (const socket of open.keys()) socket.destroy();
      await Promise.allSettled(open.values());
    },
  };
}

/** Each application has so many associations at once and no more. */
function counted(admit: Admit): House["admit"] {
  const open = new Map<string, number>();
  return async (title, address) => {
    const count = open.get(title) ?? 0;
    if (count >= receiverRules.associations) return "busy";
    open.set(title, count + 1);
    const leave = (): void => {
      const left = (open.get(title) ?? 1) - 1;
      if (left > 0) open.set(title, left);
      else open.delete(title);
    };
    const sender = await admit(title, address).catch((error: unknown) => {
      leave();
      throw error;
    });
    if (sender) return { ...sender, done: () => sender.done().finally(leave) };
    leave();
    return "unknown";
  };
}

const listenError = (error: NodeJS.ErrnoException, port: number, setting: string): Error =>
  error.code === "EADDRINUSE"
    ? new StartError(`Port ${port} is in use. Stop the other program or set ${setting} to another number.`)
    : error;
