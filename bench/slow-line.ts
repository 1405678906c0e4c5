import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A line to a server of this machine. */
export interface SlowLine {
  address: string;
  /** Bytes that have come from the server since the last time this was asked. */
  taken: () => number;
  close: () => void;
}

export interface LineSpeed {
  /** Towards the browser, shared by all lines of one wire. */
  bytesPerSecond: number;
  /** ms for a round trip. */
  latency: number;
}

/** The wire that several lines share: so many bytes a second in all, and half of the latency on each way. */
export class Wire {
  readonly speed: LineSpeed;
  #free = 0;
  constructor(speed: LineSpeed) {
    this.speed = speed;
  }
  /** ms until so many bytes more have been carried. */
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
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        sockets.delete(one);
        other.end();
      });
    }
    near.on("data", (chunk) => setTimeout(() => far.writable && far.write(chunk), latency / 2));
    far.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      const wait = wire.carries(chunk.length);
      // What waits on the line is not read from the server: else its memory would be the line's.
      far.pause();
      setTimeout(() => far.resume(), wait);
      setTimeout(() => near.writable && near.write(chunk), wait + latency / 2);
    });
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
