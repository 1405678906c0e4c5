import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { createMllpReader, frameMessage, type MllpFault } from "@arcada/exchange/hl7/mllp";
import { StartError } from "../runtime/config.ts";
import { bcp195 } from "../security/tls-profile.ts";
import type { TlsFiles } from "../runtime/read-tls-files.ts";

const listenerRules = {
  connections: 64,
  ofOneAddress: 8,
  /** A connection may be silent between messages for this long: systems keep theirs open all day. */
  idleMs: 3_600_000,
  /** A message must be complete, and its answer taken, within this time. */
  messageMs: 30_000,
  handshakeMs: 10_000,
} as const;

export interface MllpPeer {
  address: string;
  /** The names of its certificate; none without TLS and a certificate authority. */
  certificateNames: readonly string[];
}
export interface MllpOptions {
  host: string;
  port: number;
  /** Name of the setting that contains the port. */
  setting: string;
  /** False: a connection from there is closed before a byte of it is read. */
  mayConnect?: (address: string) => boolean;
  tls?: TlsFiles | null;
  /** Shorter times for tests. */
  messageMs?: number;
  /**
   * Returns the acknowledgement; null if there can be none now. The connection is then closed, so that the sender
   * repeats the message: many senders drop one that is answered with an error.
   */
  answer: (message: Uint8Array, peer: MllpPeer) => Promise<string | null>;
  onFault: (fault: ListenerFault, address: string) => void;
}
/** `tls`: no handshake, because the peer speaks something else, an old version, or one does not accept the other's certificate. */
export type ListenerFault = MllpFault | "slow" | "tooMany" | "tls";
export interface MllpListener {
  port: number;
  /** Messages in progress are answered first. */
  close(): Promise<void>;
}

/** Listens for senders of HL7 messages. The messages of one connection are answered one after another. */
export async function listenForMllp(options: MllpOptions): Promise<MllpListener> {
  const { host, port, setting, tls, mayConnect = () => true, onFault } = options;
  const open = new Map<Socket, Promise<void>>();
  const enter = createGate(mayConnect, onFault);
  const handshakes = watchHandshakes(onFault);
  let isClosing = false;
  const serve = (socket: Socket): void => {
    if (!tls && !enter(socket)) return void socket.destroy();
    handshakes.end(socket);
    // Without a listener, the error of a broken connection would end this process.
    socket.on("error", () => {});
    const serving = serveConnection(socket, options, () => isClosing)
      .catch(() => void socket.destroy())
      .finally(() => open.delete(socket));
    open.set(socket, serving);
  };
  const server = tls
    ? createTlsServer(
        {
          ...bcp195,
          ...tls,
          requestCert: tls.ca !== undefined,
          rejectUnauthorized: tls.ca !== undefined,
          handshakeTimeout: listenerRules.handshakeMs,
          noDelay: true,
        },
        serve,
      )
    : createServer({ noDelay: true }, serve);
  if (tls) {
    // Check before the handshake, which costs more than anything else that an unknown peer can cause.
    server.prependListener("connection", (socket: Socket) => {
      if (!enter(socket)) return void socket.destroy();
      handshakes.begin(socket);
    });
    server.on("tlsClientError", (_: Error, socket: Socket) => void socket.destroy());
  }
  server.maxConnections = listenerRules.connections;
  server.on("drop", (data) => onFault("tooMany", plainAddress(data?.remoteAddress)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, port, setting)));
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      isClosing = true;
      server.close();
      for (const socket of open.keys()) socket.resume().end();
      const patience = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
      }, 2000);
      await Promise.allSettled(open.values());
      clearTimeout(patience);
    },
  };
}

/** Admits a connection unless its address may not connect, or has too many. */
function createGate(
  mayConnect: (address: string) => boolean,
  onFault: MllpOptions["onFault"],
): (socket: Socket) => boolean {
  const byAddress = new Map<string, number>();
  return (socket) => {
    const address = plainAddress(socket.remoteAddress);
    const own = byAddress.get(address) ?? 0;
    if (!mayConnect(address)) return false;
    if (own >= listenerRules.ofOneAddress) {
      onFault("tooMany", address);
      return false;
    }
    byAddress.set(address, own + 1);
    socket.once("close", () => {
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
    return true;
  };
}

/**
 * Tells of peers that began a handshake and did not end it. When a certificate is refused, the socket with TLS has lost
 * its address already, so the one below it is watched. A peer that sends nothing, as checks of a load balancer do, is no
 * fault.
 */
function watchHandshakes(onFault: MllpOptions["onFault"]) {
  const open = new Set<string>();
  const toKey = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  return {
    begin: (socket: Socket): void => {
      const [key, address] = [toKey(socket), plainAddress(socket.remoteAddress)];
      open.add(key);
      socket.once("close", () => {
        if (open.delete(key) && socket.bytesRead > 0) onFault("tls", address);
      });
    },
    /** @param socket the one above, whose handshake has ended well */
    end: (socket: Socket): void => void open.delete(toKey(socket)),
  };
}

/** Reads, answers and reads on: a sender that does not wait for answers is slowed down by its own connection. */
async function serveConnection(
  socket: Socket,
  { answer, onFault, messageMs = listenerRules.messageMs }: MllpOptions,
  isClosing: () => boolean,
): Promise<void> {
  const peer = toPeer(socket);
  const reader = createMllpReader();
  const isLate = (): void => {
    if (reader.isInside) onFault("slow", peer.address);
    socket.destroy();
  };
  // The idle time of a socket starts anew with every byte; the time of one message does not.
  let timer = setTimeout(isLate, listenerRules.idleMs);
  const restart = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(isLate, ms);
  };
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      const wasInside = reader.isInside;
      const events = reader.read(chunk);
      for (const event of events) {
        if (event.kind === "fault") {
          onFault(event.fault, peer.address);
          if (event.fault === "noEnd") continue;
          return;
        }
        restart(messageMs);
        const reply = await answer(event.bytes, peer);
        if (reply === null || isClosing()) {
          if (reply !== null) socket.write(frameMessage(Buffer.from(reply)));
          return;
        }
        if (!socket.write(frameMessage(Buffer.from(reply)))) await drained(socket);
        restart(listenerRules.idleMs);
      }
      if (reader.isInside && (!wasInside || events.length > 0)) restart(messageMs);
    }
  } finally {
    clearTimeout(timer);
    socket.destroySoon();
  }
}

/** Resolves when the socket has sent what it holds, or is gone: one that has closed emits nothing any more. */
const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    socket.once("drain", resolve).once("close", resolve);
  });

/** Writes an IPv4 address without the prefix that it has on a socket for both. */
const plainAddress = (address = ""): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

function toPeer(socket: Socket): MllpPeer {
  const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : null;
  const alternatives = (certificate?.subjectaltname ?? "").split(", ").flatMap((name) => name.split(":", 2)[1] ?? []);
  const common: unknown = certificate?.subject?.CN;
  return {
    address: plainAddress(socket.remoteAddress),
    certificateNames: typeof common === "string" ? [common, ...alternatives] : alternatives,
  };
}

function listenError(error: NodeJS.ErrnoException, port: number, setting: string): Error {
  if (error.code === "EADDRINUSE")
    return new StartError(`Port ${port} is in use. Stop the other program or set ${setting} to another number.`);
  if (error.code === "EACCES")
    return new StartError(`Port ${port} may not be opened by this user. Set ${setting} to a number above 1023.`);
  return error;
}
