import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A throttled connection to a server of this machine. */
export interface SlowLine {
  address: string;
  /** Returns the bytes that have come from the server since the last call. */
  taken: () => number;
  close: () => void;
}

export interface LineSpeed {
  /** Towards the browser, shared by all connections of one wire. */
  bytesPerSecond: number;
  /** ms for a round trip. */
  latency: number;
}

/**
 * The wire that several connections share: so many bytes per second in total, and half of the latency in each
 * direction.
 */
export class Wire {
  readonly speed: LineSpeed;
  #free = 0;
  constructor(speed: LineSpeed) {
    this.speed = speed;
  }
  /** Returns the ms until so many more bytes have been carried. */
  carries(bytes: number): number {
    this.#free = Math.max(this.#free, performance.now()) + (bytes / this.speed.bytesPerSecond) * 1000;
    return Math.max(0, this.#free - performance.now());
  }
}

export async function slowLine(port: number, wire: Wire): Promise<SlowLine> {
  const { latency } = wire.speed;
  const sockets = new Set<Socket>();
  let bytes = 0;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => sockets.delete(socket));
    }
    const away = inOrder(near);
    const back = inOrder(far);
    near.on("data", (chunk) => back(latency / 2, () => far.write(chunk)));
    far.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      const wait = wire.carries(chunk.length);
      // Stop reading from the server while data waits on the line; otherwise its memory would act as the buffer of the
      // line.
      far.pause();
      setTimeout(() => far.resume(), wait);
      away(wait + latency / 2, () => near.write(chunk));
    });
    near.on("error", () => far.destroy()).on("end", () => back(latency / 2, () => far.end()));
    far.on("error", () => near.destroy()).on("end", () => away(latency / 2, () => near.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => {
      const now = bytes;
      bytes = 0;
      return now;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Runs one action after the other, none before its time: timers of different lengths may overtake each other. */
function inOrder(to: Socket): (wait: number, act: () => void) => void {
  let last = Promise.resolve();
  return (wait, act) => {
    const due = new Promise<void>((resolve) => setTimeout(resolve, wait));
    last = last.then(() => due).then(() => void (to.destroyed || act()));
  };
}
