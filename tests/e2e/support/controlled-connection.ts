import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** A line between a browser and the product that can be slow, and cut as a cable is. */
export class ControlledConnection {
  /** Bytes a second towards the server; 0: as fast as it goes. */
  bytesPerSecond = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  private constructor(server: Server) {
    this.#server = server;
  }
  static async to(port: number): Promise<ControlledConnection> {
    const server = createServer((socket) => connection.#joins(socket, port));
    const connection = new ControlledConnection(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return connection;
  }
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async cutFor(milliseconds: number): Promise<void> {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    this.#isCut = false;
  }
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #joins(socket: Socket, port: number): void {
    if (this.#isCut) return void socket.destroy();
    const far = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [socket, far],
      [far, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    far.pipe(socket);
    socket.on("data", (bytes) => {
      far.write(bytes);
      if (this.bytesPerSecond === 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), (1000 * bytes.length) / this.bytesPerSecond);
    });
  }
}
