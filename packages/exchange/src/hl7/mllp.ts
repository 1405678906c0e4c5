/** MLLP release 1: a message between a start block and an end block. */
const startBlock = 0x0b;
const endBlock = 0x1c;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** The longest message that is read; an ADT or an order has a few thousand bytes. */
export const maxMessageBytes = 1_048_576;
/** Bytes outside a message that a connection may send before it counts as something else than MLLP. */
const maxStrayBytes = 1024;

/**
 * `tooLong`: a message without an end within the limit; `noEnd`: a message began within another one; `notMllp`: the
 * peer speaks something else.
 */
export type MllpFault = "tooLong" | "noEnd" | "notMllp";
export type MllpEvent = { kind: "message"; bytes: Uint8Array } | { kind: "fault"; fault: MllpFault };

export interface MllpReader {
  /** Returns what the bytes complete, in order. After `tooLong` and `notMllp` the connection must be closed. */
  read(chunk: Uint8Array): MllpEvent[];
  /** True between the start of a message and its end. */
  readonly isInside: boolean;
}

/** Messages in a row whose ends are lost; a sender that goes on after so many does not speak MLLP. */
const maxLostEnds = 16;
const firstBytes = 4096;

/** Makes a reader of one connection. It holds at most one message, in one piece, and reads every byte once. */
export function createMllpReader(limit: number = maxMessageBytes): MllpReader {
  let buffer = new Uint8Array(0);
  let [length, stray, lostEnds] = [0, 0, 0];
  let isInside = false;

  // A list of the pieces would need a hundred times the memory for a peer that sends byte by byte.
  function take(chunk: Uint8Array, from: number, to: number): boolean {
    const next = length + to - from;
    if (next > limit) return false;
    if (next > buffer.length) {
      const grown = new Uint8Array(Math.min(limit, Math.max(next, 2 * buffer.length, firstBytes)));
      grown.set(buffer.subarray(0, length));
      buffer = grown;
    }
    buffer.set(chunk.subarray(from, to), length);
    length = next;
    return true;
  }
  function begin(): void {
    isInside = true;
    length = 0;
  }
  function finish(): Uint8Array {
    const bytes = buffer.subarray(0, length);
    buffer = new Uint8Array(0);
    isInside = false;
    [length, stray, lostEnds] = [0, 0, 0];
    return bytes;
  }

  return {
    get isInside() {
      return isInside;
    },
    read(chunk) {
      const events: MllpEvent[] = [];
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (byte === startBlock) {
          // Its end is lost: what was received cannot be trusted.
          if (isInside) events.push({ kind: "fault", fault: ++lostEnds > maxLostEnds ? "notMllp" : "noEnd" });
          if (lostEnds > maxLostEnds) return events;
          begin();
          from = at + 1;
        } else if (isInside && byte === endBlock) {
          if (!take(chunk, from, at)) return [...events, { kind: "fault", fault: "tooLong" }];
          events.push({ kind: "message", bytes: finish() });
        } else if (!isInside && byte !== carriageReturn && byte !== lineFeed && ++stray > maxStrayBytes) {
          return [...events, { kind: "fault", fault: "notMllp" }];
        }
      }
      if (isInside && !take(chunk, from, chunk.length)) events.push({ kind: "fault", fault: "tooLong" });
      return events;
    },
  };
}

/** Frames a message. */
export function frameMessage(bytes: Uint8Array): Uint8Array {
  const framed = new Uint8Array(bytes.length + 3);
  framed[0] = startBlock;
  framed.set(bytes, 1);
  framed.set([endBlock, carriageReturn], bytes.length + 1);
  return framed;
}
