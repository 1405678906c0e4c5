import { Socket } from "node:net";

/**
 * A socket that sends what is written in one turn in one piece: each piece wakes the database's process, which costs
 * more than most of our statements.
 */
export function gatheringSocket(): Socket {
  const socket = new Socket();
  // Not before: a socket that connects takes back its own way of writing.
  socket.once("connect", () => {
    const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
    const gather = (...given: unknown[]): boolean => {
      if (socket.writableCorked === 0) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      return write(...given);
    };
    socket.write = gather as Socket["write"];
  });
  return socket;
}
