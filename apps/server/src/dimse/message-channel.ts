import type { Socket } from "node:net";
import { buildRequest, type Command, type Request } from "./command-set.ts";
import { encodeFragment } from "./pdu.ts";

/** A data set that is sent: as a whole, or in pieces as they are read. */
export type OutgoingData = Uint8Array | AsyncIterable<Uint8Array>;

/** A presentation context that both sides agreed on. */
export interface AgreedContext {
  id: number;
  abstractSyntax: string;
  transferSyntax: string;
}

/** One association, as the side that sends messages over it sees it. */
export interface MessageChannel {
  contexts: readonly AgreedContext[];
  /** Resolves when the bytes have left for the peer; one message is complete before the next begins. */
  write(context: number, command: Buffer, data?: OutgoingData): Promise<void>;
  /** Sends a request, and resolves with the response of the peer. */
  request(context: number, request: Omit<Request, "message" | "hasDataSet">, data?: OutgoingData): Promise<Command>;
  /** Takes a response that has arrived; a response to nothing is ignored. */
  respond(command: Command): void;
  /** Fails the requests that wait: the association has ended. */
  close(reason: Error): void;
}

const fragmentHead = 6;
const [defaultPduBytes, maxPduBytes] = [16_384, 131_072];
/** A peer may write an object to a slow disk before it answers. */
const responseMs = 60_000;

/** @param peerMost the longest PDU that the peer accepts; 0: any */
export function createMessageChannel(
  socket: Socket,
  peerMost: number,
  contexts: readonly AgreedContext[],
): MessageChannel {
  const pieceBytes = Math.max(Math.min(peerMost || defaultPduBytes, maxPduBytes) - fragmentHead, 128);
  const waiting = new Map<number, { resolve: (response: Command) => void; reject: (error: Error) => void }>();
  let [last, number] = [Promise.resolve(), 0];
  let ended: Error | null = null;
  const put = (bytes: Buffer): Promise<void> | undefined => {
    if (ended ?? (socket.destroyed || !socket.writable)) throw ended ?? new Error("the association has ended");
    return socket.write(bytes) ? undefined : drained(socket);
  };
  const writeNow = async (context: number, command: Buffer, data?: OutgoingData): Promise<void> => {
    await put(encodeFragment(context, command, { isCommand: true, isLast: true }));
    if (data === undefined) return;
    try {
      for await (const { bytes, isLast } of splitIntoPieces(data, pieceBytes))
        await put(encodeFragment(context, bytes, { isCommand: false, isLast }));
    } catch (error) {
      // The peer would take the next message for the rest of this one.
      socket.destroy();
      throw error;
    }
  };
  const write: MessageChannel["write"] = (...message) => {
    const written = last.then(() => writeNow(...message));
    last = written.catch(() => {});
    return written;
  };
  return {
    contexts,
    write,
    request: async (context, content, data) => {
      number = (number % 0xffff) + 1;
      const { promise, resolve, reject } = Promise.withResolvers<Command>();
      // The request may fail before its response is awaited.
      promise.catch(() => {});
      waiting.set(number, { resolve, reject });
      const message = number;
      let late: NodeJS.Timeout | undefined;
      try {
        await write(context, buildRequest({ ...content, message, hasDataSet: data !== undefined }), data);
        // A large object takes longer on its way than its response may.
        late = setTimeout(() => reject(new Error("the peer does not answer")), responseMs);
        return await promise;
      } finally {
        clearTimeout(late);
        waiting.delete(message);
      }
    },
    respond: (command) => waiting.get(command.answered)?.resolve(command),
    close: (reason) => {
      ended ??= reason;
      for (const { reject } of waiting.values()) reject(reason);
    },
  };
}

/** A peer that reads nothing for that long is gone. */
const drainMs = 60_000;

function drained(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (): void => reject(new Error("the association has ended"));
  const late = setTimeout(() => socket.destroy(new Error("the peer does not read")), drainMs);
  socket.once("drain", resolve).once("close", end);
  return promise.finally(() => {
    clearTimeout(late);
    socket.off("drain", resolve).off("close", end);
  });
}

/** Cuts a data set into pieces of the size that the peer accepts; the last one is known as such. */
async function* splitIntoPieces(data: OutgoingData, most: number): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of data instanceof Uint8Array ? [data] : data) {
    held = held.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([held, chunk]);
    for (; held.length > most; held = held.subarray(most)) yield { bytes: held.subarray(0, most), isLast: false };
  }
  yield { bytes: held, isLast: true };
}
