import { Socket } from "node:net";

/**
 * A socket that sends everything written in one tick in a single write: each write wakes the database's process, which
 * costs more than most of our statements.
 */
export function createCorkedSocket(): Socket {
  const socket = new Socket();
  // Only after the connection: a socket that connects restores its own write method.
  socket.once("connect", () => {
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
    const writeCorked = (...given: unknown[]): boolean => {
      if (socket.writableCorked === 0) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      return write(...given);
    };
    socket.write = writeCorked as Socket["write"];
  });
  return socket;
}
