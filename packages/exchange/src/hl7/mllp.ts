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

/** Makes a reader of one connection. It holds at most one message, and reads every byte once. */
export function createMllpReader(limit: number = maxMessageBytes): MllpReader {
  let parts: Uint8Array[] | null = null;
  let length = 0;
  let stray = 0;

  function take(chunk: Uint8Array, from: number, to: number): boolean {
    if (to > from) parts!.push(chunk.slice(from, to));
    length += to - from;
    return length <= limit;
  }
  function begin(): void {
    parts = [];
    length = 0;
  }
  function finish(): Uint8Array {
    const bytes = joinParts(parts!, length);
    parts = null;
    length = 0;
    stray = 0;
    return bytes;
  }

  return {
    get isInside() {
      return parts !== null;
    },
    read(chunk) {
      const events: MllpEvent[] = [];
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (byte === startBlock) {
          // Its end is lost: what was received cannot be trusted.
          if (parts !== null) events.push({ kind: "fault", fault: "noEnd" });
          begin();
          from = at + 1;
        } else if (parts !== null && byte === endBlock) {
          if (!take(chunk, from, at)) return [...events, { kind: "fault", fault: "tooLong" }];
          events.push({ kind: "message", bytes: finish() });
        } else if (parts === null && byte !== carriageReturn && byte !== lineFeed && ++stray > maxStrayBytes) {
          return [...events, { kind: "fault", fault: "notMllp" }];
        }
      }
      if (parts !== null && !take(chunk, from, chunk.length)) events.push({ kind: "fault", fault: "tooLong" });
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

function joinParts(parts: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
