import type { Socket } from "node:net";
import { PduError } from "./pdu.ts";

export interface Pdu {
  type: number;
  body: Buffer;
}
/** How long a peer may take: until its first unit, between two, and for one. */
export interface Patience {
  firstMs: number;
  betweenMs: number;
  withinMs: number;
}
const headerBytes = 6;

/**
 * A connection's units, one after another; no more of them is held than one. Throws PduError where one claims to be
 * longer than `mostBytes` or does not come in time.
 */
export async function* pdusOf(socket: Socket, mostBytes: number, patience: Patience): AsyncGenerator<Pdu> {
  const pieces = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer[] = [];
  let length = 0;
  /** False: the connection ended. */
  const more = async (until: number): Promise<boolean> => {
    const late = setTimeout(() => socket.destroy(new PduError("notSpecified", "too slow")), until - Date.now());
    try {
      const { value, done } = await pieces.next();
      if (done) return false;
      held.push(value);
      length += value.length;
      return true;
    } finally {
      clearTimeout(late);
    }
  };
  const taken = (count: number): Buffer => {
    const all = held.length === 1 ? held[0]! : Buffer.concat(held, length);
    held = count < all.length ? [all.subarray(count)] : [];
    length = all.length - count;
    return all.subarray(0, count);
  };
  for (let wait = patience.firstMs; ; wait = patience.betweenMs) {
    const idleUntil = Date.now() + wait;
    while (length === 0) if (!(await more(idleUntil))) return;
    const until = Date.now() + patience.withinMs;
    while (length < headerBytes) if (!(await more(until))) return;
    const header = taken(headerBytes);
    const bytes = header.readUInt32BE(2);
    if (bytes > mostBytes) throw new PduError("invalidParameter", `a unit of ${bytes} bytes`);
    while (length < bytes) if (!(await more(until))) return;
    yield { type: header[0]!, body: taken(bytes) };
  }
}
