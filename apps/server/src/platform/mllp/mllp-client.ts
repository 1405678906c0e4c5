import { connect, type Socket } from "node:net";
import { connect as connectTls, type SecureContextOptions } from "node:tls";
import { createMllpReader, frameMessage } from "@arcada/exchange/hl7/mllp";
import { bcp195 } from "../security/tls-profile.ts";

export type MllpProblem = "refused" | "timeout" | "tls" | "network" | "answer";
/** No answer from the other system. `message` is for the operator, in English. */
export class MllpFailed extends Error {
  override name = "MllpFailed";
  readonly problem: MllpProblem;
  constructor(problem: MllpProblem, detail: string) {
    super(detail);
    this.problem = problem;
  }
}

export interface MllpAddress {
  /** Tried one after another; all of them may be reached. */
  addresses: readonly string[];
  /** The name that its certificate must have. */
  host: string;
  port: number;
  /** Null: without TLS. */
  tls: SecureContextOptions | null;
}

const connectMs = 10_000;

/** Connects and closes again. Throws MllpFailed. */
export async function probeMllp(address: MllpAddress): Promise<void> {
  (await connectToOne(address)).destroy();
}

/** Sends one message and returns the bytes of its answer. Throws MllpFailed. */
export async function exchangeMessage(
  address: MllpAddress,
  message: Uint8Array,
  { answerMs, signal }: { answerMs: number; signal: AbortSignal },
): Promise<Uint8Array> {
  const socket = await connectToOne(address);
  const end = (): void => void socket.destroy();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, answerMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    socket.write(frameMessage(message));
    return await readAnswer(socket);
  } catch (error) {
    if (isLate) throw new MllpFailed("timeout", `no answer within ${answerMs / 1000} seconds`);
    throw toFailure(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    socket.destroy();
  }
}

/** An answer has a few lines; whoever sends more speaks something else. */
const maxAnswerBytes = 65_536;

async function readAnswer(socket: Socket): Promise<Uint8Array> {
  const reader = createMllpReader(maxAnswerBytes);
  for await (const chunk of socket as AsyncIterable<Buffer>)
    for (const event of reader.read(chunk)) {
      if (event.kind === "message") return event.bytes;
      throw new MllpFailed("answer", `the answer is not MLLP (${event.fault})`);
    }
  throw new MllpFailed("network", "the connection was closed before an answer came");
}

async function connectToOne(address: MllpAddress): Promise<Socket> {
  let last: unknown;
  for (const one of address.addresses) {
    try {
      return await connectTo(address, one);
    } catch (error) {
      last = error;
    }
  }
  throw toFailure(last);
}

function connectTo({ host, port, tls }: MllpAddress, address: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const to = { host: address, port, noDelay: true };
  // SNI may not name an address.
  const servername = /^[\d.]+$|:/.test(host) ? "" : host;
  const socket = tls ? connectTls({ ...bcp195, ...tls, ...to, servername }) : connect(to);
  const late = setTimeout(() => {
    reject(new MllpFailed("timeout", "the connection was not answered in time"));
    socket.destroy();
  }, connectMs);
  socket.once(tls ? "secureConnect" : "connect", () => {
    clearTimeout(late);
    resolve(socket);
  });
  socket.on("error", (error) => {
    clearTimeout(late);
    reject(error);
  });
  return promise;
}

function toFailure(error: unknown): MllpFailed {
  if (error instanceof MllpFailed) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "";
  if (code === "ECONNREFUSED") return new MllpFailed("refused", message);
  if (code === "ETIMEDOUT") return new MllpFailed("timeout", message);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return new MllpFailed("tls", message);
  return new MllpFailed("network", message);
}
