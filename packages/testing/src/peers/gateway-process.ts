import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, request } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream";
import type { buildLabStatus } from "../../../../apps/server/src/gateway/lab/run-lab-agent.ts";
import type { buildStatus } from "../../../../apps/server/src/gateway/status-page.ts";
import { freePort } from "../setup/product-process.ts";
import { present } from "../require-present.ts";

const program = path.join(import.meta.dirname, "../../../../apps/server/src/gateway/main.ts");

// With ARCADA_GATEWAY, the tests drive the launcher of a packaged gateway instead of the sources: docs/gateway.md.
const packaged = process.env["ARCADA_GATEWAY"];

/** A gateway as a clinic runs it: a separate process on a folder that outlives it. */
export class GatewayProcess {
  readonly folder = mkdtempSync(path.join(tmpdir(), "arcada-gateway-"));
  readonly #environment: Record<string, string>;
  port = 0;
  statusPort = 0;
  output = "";
  #child: ChildProcess | undefined;
  readonly #launcher: string | undefined;
  /** @param launcher of a packaged gateway; without it the sources run, or what ARCADA_GATEWAY names */
  constructor(environment: Record<string, string>, launcher = packaged) {
    this.#environment = environment;
    this.#launcher = launcher;
  }
  async start(): Promise<void> {
    this.port ||= await freePort();
    this.statusPort ||= await freePort();
    const settings = {
      GATEWAY_DIR: this.folder,
      GATEWAY_PORT: String(this.port),
      GATEWAY_STATUS_PORT: String(this.statusPort),
      GATEWAY_PAUSE_SECONDS: "1",
    };
    const [runtime, given] = this.#launcher
      ? ([this.#launcher, ["run"]] as const)
      : ([process.execPath, [program]] as const);
    const child = spawn(runtime, given, {
      env: { ...process.env, ...settings, ...this.#environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    const begin = this.output.length;
    await new Promise<void>((resolve, reject) => {
      const readOutput = (chunk: Buffer): void => {
        this.output += chunk.toString();
        if (this.output.includes("How it is", begin)) resolve();
      };
      child.stdout.on("data", readOutput);
      child.stderr.on("data", readOutput);
      child.once("exit", (code) => reject(new Error(`ended with ${code}: ${this.output.slice(-2000)}`)));
    });
  }
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }
  async status(): Promise<ReturnType<typeof buildStatus>> {
    return (await (await fetch(`http://127.0.0.1:${this.statusPort}/`)).json()) as ReturnType<typeof buildStatus>;
  }
  /** The state of a laboratory's agent. */
  async labStatus(): Promise<ReturnType<typeof buildLabStatus>> {
    return (await (await fetch(`http://127.0.0.1:${this.statusPort}/`)).json()) as ReturnType<typeof buildLabStatus>;
  }
  async remove(): Promise<void> {
    await this.stop("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A connection to a server that is cut after so many bytes, as often as requested. */
export class UnreliableConnection {
  readonly port: number;
  isCut = false;
  breakCount = 0;
  /** Towards the server. */
  bytesToServer = 0;
  #after: number[] = [];
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  private constructor(server: Server, to: number) {
    this.#server = server;
    this.port = (server.address() as { port: number }).port;
    server.on("connection", (socket) => this.#join(socket, to));
  }
  static async to(port: number): Promise<UnreliableConnection> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new UnreliableConnection(server, port);
  }
  /** Each of the next connections ends in the middle of what it carries. */
  breakConnections(times: number, from: number, to: number): void {
    this.#after = Array.from({ length: times }, () => from + Math.floor(Math.random() * (to - from)));
    for (const socket of this.#open) socket.destroy();
  }
  cut(): void {
    this.isCut = true;
    for (const socket of this.#open) socket.destroy();
  }
  restore(): void {
    this.isCut = false;
  }
  close(): void {
    this.cut();
    this.#server.close();
  }
  #join(near: Socket, to: number): void {
    if (this.isCut) return void near.destroy();
    const far = connect(to, "127.0.0.1");
    const left = this.#after.shift() ?? Number.POSITIVE_INFINITY;
    let transferred = 0;
    near.on("data", (piece: Buffer) => {
      transferred += piece.length;
      this.bytesToServer += piece.length;
      if (transferred < left) return;
      this.breakCount += 1;
      near.destroy();
      far.destroy();
    });
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      this.#open.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          this.#open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
  }
}

/** Starts a proxy that returns absolute Location addresses under its own host name. */
export async function startAbsoluteLocationProxy(
  to: number,
): Promise<{ port: number; locations: string[]; close(): void }> {
  const locations: string[] = [];
  const server = createHttpServer((near, answer) => {
    const { url: path, method, headers } = near;
    const asking = request({ port: to, host: "127.0.0.1", path, method, headers }, (far) => {
      if (answer.destroyed) return void far.destroy();
      const location = far.headers.location && `https://elsewhere.example/arcada${far.headers.location}`;
      if (location) locations.push(location);
      answer.writeHead(present(far.statusCode, "statusCode"), { ...far.headers, ...(location && { location }) });
      pipeline(far, answer, () => {});
    });
    asking.on("error", () => answer.destroy());
    pipeline(near, asking, () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as { port: number }).port, locations, close };
}

export const isProgramInstalled = (name: string): boolean => {
  try {
    execFileSync("which", [name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
