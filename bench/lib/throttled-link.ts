import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A throttled connection to a server of this machine. */
export interface ThrottledLink {
  address: string;
  /** Returns the bytes that have come from the server since the last call. */
  takeByteCount: () => number;
  close: () => void;
}

export interface LinkSpeed {
  /** Towards the browser, shared by all connections of one wire. */
  bytesPerSecond: number;
  /** ms for a round trip. */
  latency: number;
}

/**
 * The wire that several connections share: so many bytes per second in total, and half of the latency in each
 * direction.
 */
export class SharedLink {
  readonly speed: LinkSpeed;
  #free = 0;
  constructor(speed: LinkSpeed) {
    this.speed = speed;
  }
  /** Returns the ms until so many more bytes have been carried. */
  reserve(bytes: number): number {
    this.#free = Math.max(this.#free, performance.now()) + (bytes / this.speed.bytesPerSecond) * 1000;
    return Math.max(0, this.#free - performance.now());
  }
}

export async function openThrottledLink(port: number, link: SharedLink): Promise<ThrottledLink> {
  const { latency } = link.speed;
  const sockets = new Set<Socket>();
  let bytes = 0;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => sockets.delete(socket));
    }
    const toBrowser = inSequence(near);
    const toServer = inSequence(far);
    near.on("data", (chunk) => toServer(latency / 2, () => far.write(chunk)));
    far.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      const wait = link.reserve(chunk.length);
      // Stop reading from the server while data waits on the line; otherwise its memory would act as the buffer of the
      // line.
      far.pause();
      setTimeout(() => far.resume(), wait);
      toBrowser(wait + latency / 2, () => near.write(chunk));
    });
    near.on("error", () => far.destroy()).on("end", () => toServer(latency / 2, () => far.end()));
    far.on("error", () => near.destroy()).on("end", () => toBrowser(latency / 2, () => near.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeByteCount: () => {
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
function inSequence(to: Socket): (wait: number, act: () => void) => void {
  let last = Promise.resolve();
  return (wait, act) => {
    const due = new Promise<void>((resolve) => setTimeout(resolve, wait));
    last = last.then(() => due).then(() => void (to.destroyed || act()));
  };
}
