import type { Socket } from "node:net";
import { releaseReceived } from "../platform/runtime/garbage-collection.ts";
import { receiveChunks } from "../platform/runtime/received-chunks.ts";
import { PduError } from "./pdu.ts";

export interface Pdu {
  type: number;
  body: Buffer;
}
/**
 * Time limits for a peer in ms: until its first PDU, between two PDUs, and for one PDU. The time between two counts while
 * nothing is sent to the peer.
 */
export interface PduTimeouts {
  firstMs: number;
  betweenMs: number;
  withinMs: number;
  /** True while the peer has nothing to say: its request is being answered. */
  mayBeSilent?: () => boolean;
}
const headerBytes = 6;
const empty = Buffer.alloc(0);

/**
 * Yields the PDUs of a connection one after another. They share their memory: each is valid until the next is
 * requested, and no more than one is held. Throws PduError if a PDU claims to be longer than `mostBytes` or does not
 * arrive in time.
 */
export async function* readPdus(
  socket: Socket,
  mostBytes: number | (() => number),
  timeouts: PduTimeouts,
): AsyncGenerator<Pdu> {
  const chunks = receiveChunks(socket);
  let [chunk, taken]: [Buffer, number] = [empty, 0];
  let memory = Buffer.alloc(headerBytes);
  const end = (): void => void socket.destroy(new PduError("notSpecified", "too slow"));
  /** False: the connection ended. */
  const receive = async (guard: NodeJS.Timeout): Promise<boolean> => {
    try {
      const { value, done } = await chunks.next();
      if (!done) [chunk, taken] = [value, 0];
      return !done;
    } finally {
      clearTimeout(guard);
    }
  };
  const more = async (until: number): Promise<boolean> =>
    taken < chunk.length || receive(setTimeout(end, until - Date.now()));
  const moreBetween = async (wait: number): Promise<boolean> => {
    if (taken < chunk.length) return true;
    let [written, since] = [socket.bytesWritten, Date.now()];
    const look = (): void => {
      // A peer that is being sent a large object has nothing to say until it has the whole of it.
      if (socket.bytesWritten !== written || timeouts.mayBeSilent?.())
        [written, since] = [socket.bytesWritten, Date.now()];
      else if (Date.now() - since >= wait) end();
    };
    return receive(setInterval(look, wait / 10));
  };
  /** Null: the connection ended before that many bytes had arrived. */
  const takeBytes = async (count: number, until: number): Promise<Buffer | null> => {
    if (memory.length < count) memory = Buffer.allocUnsafe(count);
    for (let at = 0; at < count;) {
      if (!(await more(until))) return null;
      const copied = chunk.copy(memory, at, taken, taken + count - at);
      taken += copied;
      at += copied;
      if (taken < chunk.length) continue;
      releaseReceived(chunk);
      [chunk, taken] = [empty, 0];
    }
    return memory.subarray(0, count);
  };
  for (let wait = timeouts.firstMs; ; wait = timeouts.betweenMs) {
    if (!(await moreBetween(wait))) return;
    const until = Date.now() + timeouts.withinMs;
    const header = await takeBytes(headerBytes, until);
    if (!header) return;
    const [type, bytes] = [header[0]!, header.readUInt32BE(2)];
    if (bytes > (typeof mostBytes === "number" ? mostBytes : mostBytes()))
      throw new PduError("invalidParameter", `a unit of ${bytes} bytes`);
    const body = await takeBytes(bytes, until);
    if (!body) return;
    yield { type, body };
  }
}
