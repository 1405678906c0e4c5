import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { StartError } from "../platform/runtime/config.ts";
import { bcp195 } from "../platform/security/tls-profile.ts";
import { serveAssociation, type ConnectedPeer, type ListeningApplication, type ObjectReceiver } from "./association.ts";
import type { TlsFiles } from "../platform/runtime/read-tls-files.ts";

const receiverRules = {
  connections: 64,
  /** Limit for one calling application. */
  associations: 8,
  /** Connections of one address that have not been admitted yet. */
  waitingOfOneAddress: 16,
  patience: { firstMs: 10_000, betweenMs: 120_000, withinMs: 30_000 },
} as const;

export interface DimseReceiver {
  port: number;
  /** Objects in progress get a moment to finish; the sender repeats an object that is not acknowledged by then. */
  close(): Promise<void>;
}
/** Null: the application is unknown. */
type AdmitCaller = (callingTitle: string, peer: ConnectedPeer) => Promise<ObjectReceiver | null>;

interface ListenOptions {
  host: string;
  port: number;
  /** Name of the setting that contains the port. */
  setting: string;
  /** The AE title that devices call. */
  title: string;
  /** False: a connection from there is closed before a byte of it is read. */
  mayConnect?: (address: string) => boolean;
  /** Accepts TLS only. */
  tls?: TlsFiles;
}
/** Listens for devices that send by DIMSE. */
export async function openReceiver(
  { host, port, setting, title, mayConnect = () => true, tls }: ListenOptions,
  admit: AdmitCaller,
  timeouts: ListeningApplication["patience"] = receiverRules.patience,
): Promise<DimseReceiver> {
  const gate = createGate(mayConnect);
  const institution: ListeningApplication = {
    title,
    patience: timeouts,
    admit: countAssociations(admit),
    admitted: (socket) => gate.leave(socket),
  };
  const open = new Map<Socket, Promise<void>>();
  const serve = (socket: Socket): void => {
    if (!tls && !gate.enter(socket)) return void socket.destroy();
    // Without a listener, the error of a broken connection would end this process.
    socket.on("error", () => {});
    const serving = serveAssociation(socket, institution).finally(() => open.delete(socket));
    open.set(socket, serving);
  };
  const server = tls ? tlsServer(tls, gate, serve) : createServer({ noDelay: true }, serve);
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

interface ConnectionGate {
  /** False: the connection is refused. */
  enter(socket: Socket): boolean;
  leave(socket: Socket): void;
}

/**
 * The gate limits the connections per address that wait for admission, so that silent connections of one machine do not
 * occupy all slots.
 */
function createGate(mayConnect: (address: string) => boolean): ConnectionGate {
  /**
   * By address, the source ports that wait for admission: for a connection over TLS these are known before and after
   * its handshake.
   */
  const waiting = new Map<string, Set<number>>();
  const leave = (address: string, port: number): void => {
    const own = waiting.get(address);
    own?.delete(port);
    if (own?.size === 0) waiting.delete(address);
  };
  return {
    enter: (socket) => {
      const { remoteAddress: address = "", remotePort: port = 0 } = socket;
      const own = waiting.get(address) ?? new Set();
      if (!mayConnect(address) || own.size >= receiverRules.waitingOfOneAddress) return false;
      waiting.set(address, own.add(port));
      socket.once("close", () => leave(address, port));
      return true;
    },
    leave: ({ remoteAddress = "", remotePort = 0 }) => leave(remoteAddress, remotePort),
  };
}

function tlsServer(tls: TlsFiles, gate: ConnectionGate, serve: (socket: Socket) => void): Server {
  const server = createTlsServer(
    {
      ...bcp195,
      ...tls,
      requestCert: tls.ca !== undefined,
      rejectUnauthorized: tls.ca !== undefined,
      handshakeTimeout: receiverRules.patience.firstMs,
      noDelay: true,
    },
    serve,
  );
  // Check before the handshake, which costs more than anything else that an unknown peer can cause.
  server.prependListener("connection", (socket: Socket) => {
    if (!gate.enter(socket)) socket.destroy();
  });
  server.on("tlsClientError", (_, socket) => void socket.destroy());
  return server;
}

/** Limits the number of simultaneous associations of each application. */
function countAssociations(admit: AdmitCaller): ListeningApplication["admit"] {
  const open = new Map<string, number>();
  return async (title, peer) => {
    const count = open.get(title) ?? 0;
    if (count >= receiverRules.associations) return "busy";
    open.set(title, count + 1);
    const leave = (): void => {
      const left = (open.get(title) ?? 1) - 1;
      if (left > 0) open.set(title, left);
      else open.delete(title);
    };
    const sender = await admit(title, peer).catch((error: unknown) => {
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
