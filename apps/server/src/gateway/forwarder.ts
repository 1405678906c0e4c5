import { setTimeout as sleep } from "node:timers/promises";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { CloudClient, StoreResult } from "./cloud-client.ts";
import { CloudRefused, isAccessDenied } from "./cloud-connection.ts";
import type { SavedStateFile, SavedState } from "./saved-state.ts";
import type { SendQueue, QueuedObject } from "./send-queue.ts";

/** State of the forwarding to Arcada. */
export interface ForwardingState extends SavedState {
  /** The reason why nothing is forwarded now; null while forwarding works. */
  trouble: ForwardingTrouble | null;
  nextTryAt: number | null;
}
export interface ForwardingTrouble {
  /** refused: Arcada refuses; away: it cannot be reached. */
  kind: "refused" | "away";
  /** Code of the refusal; 0: the response was not Arcada's own. */
  code: number;
  message: string;
  since: number;
}
interface ForwarderOptions {
  queue: SendQueue;
  cloud: CloudClient;
  savedState: SavedStateFile;
  /** Writes a line for the operator of this gateway. */
  log: (line: string) => void;
  /** Called if Arcada refuses this device: everything that the device was told before is invalid. */
  onAccessDenied: () => Promise<void>;
  about: { softwareVersion: string };
  /** From this size on an object is sent alone, and resumes where the connection broke. */
  resumableFromBytes: number;
  backOff: { firstMs: number; mostMs: number; helloMs: number };
}

const batchRules = { files: 16, bytes: 16 * 1024 * 1024 } as const;
/** Number of attempts for an object that Arcada cannot process, before people must look at it. */
const maxAttempts = 5;
/** PS3.18 I.2.2.2: failures for which a retry may succeed. */
const processing = 0x0110;
const noRoom = 0xa700;

/** Sends the waiting objects to Arcada in the order in which they arrived, however long that takes. */
export class Forwarder {
  readonly state: ForwardingState;
  readonly #going: ForwarderOptions;
  readonly #stopped = new AbortController();
  /** Objects that are sent alone: a fault of one in a batch is not known of the others. */
  readonly #alone = new Set<string>();
  readonly #tries = new Map<string, number>();
  #pauses = 0;
  /**
   * Number of objects in a batch: fewer each time that the connection breaks during one, so that even the worst
   * connection brings one.
   */
  #most: number = batchRules.files;
  #saidHello = Number.NEGATIVE_INFINITY;
  readonly #over: Promise<void>;

  constructor(going: ForwarderOptions) {
    this.#going = going;
    this.state = { ...going.savedState.last, trouble: null, nextTryAt: null };
    this.#over = this.#run();
  }
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#going.cloud.close();
    await this.#over;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        const hasSent = await this.#step();
        this.#pauses = 0;
        this.#mended();
        if (!hasSent) await this.#idle();
      } catch (error) {
        await this.#pause(error);
      }
    }
  }

  /** Returns false if nothing waits. */
  async #step(): Promise<boolean> {
    const { queue, cloud, backOff: pause } = this.#going;
    // After a failure a small query is sent first, so that no volume is sent over a broken connection.
    if (this.#pauses > 0 || Date.now() - this.#saidHello >= pause.helloMs) await this.#hello();
    const batch = this.#batch(queue.waiting);
    if (batch.length === 0) return false;
    const [first] = batch;
    const storing = this.#isLarge(first!) ? cloud.resume(first!) : cloud.store(batch);
    await this.#settle(batch, await storing.catch((error: unknown) => this.#judge(batch, error)));
    this.#most = Math.min(this.#most * 2, batchRules.files);
    return true;
  }

  async #hello(): Promise<void> {
    const { queue, cloud, about } = this.#going;
    const { name, state, clinic, refused } = await cloud.hello({ ...about, queue: queue.waiting.length });
    this.#saidHello = Date.now();
    this.state.device = { name, state, clinic };
    await this.#remember();
    if (refused !== null) throw new CloudRefused(403, { code: refusals.deviceLocked.code, msg: refused }, undefined);
  }

  #batch(waiting: readonly QueuedObject[]): QueuedObject[] {
    const batch: QueuedObject[] = [];
    const uids = new Set<string>();
    let bytes = 0;
    for (const one of waiting) {
      const isAlone = this.#alone.has(one.name) || this.#isLarge(one);
      const fits = batch.length < this.#most && bytes + one.bytes <= batchRules.bytes && !uids.has(one.uid);
      if (batch.length > 0 && (isAlone || !fits)) break;
      batch.push(one);
      uids.add(one.uid);
      bytes += one.bytes;
      if (isAlone) break;
    }
    return batch;
  }

  #isLarge({ bytes }: QueuedObject): boolean {
    return bytes >= this.#going.resumableFromBytes;
  }

  async #settle(batch: readonly QueuedObject[], answer: StoreResult): Promise<void> {
    const later: number[] = [];
    for (const one of batch) {
      const reason = findReason(one, batch, answer);
      if (reason === null) await this.#sent(one);
      else if (reason === undefined) this.#alone.add(one.name);
      else if (reason === noRoom) later.push(reason);
      else if (reason === processing) later.push(await this.#again(one, reason));
      else await this.#fail(one, formatReason(reason));
    }
    const message = later.includes(noRoom) ? "no room is left" : "an object cannot be processed";
    await this.#remember();
    if (later.length > 0) throw new CloudRefused(507, { msg: message }, undefined);
  }

  /** A batch was refused as a whole. If the refusal may concern a single file, each file is sent alone next. */
  async #judge(batch: readonly QueuedObject[], error: unknown): Promise<StoreResult> {
    const nothing = { kept: new Set<string>(), failed: new Map<string, number>(), nameless: [] };
    const [only] = batch;
    if (!(error instanceof CloudRefused)) this.#most = Math.max(1, Math.floor(batch.length / 2));
    if (!(error instanceof CloudRefused) || ![400, 413, 415].includes(error.status) || !only) throw error;
    if (batch.length > 1) return nothing;
    // A proxy in front of Arcada knows nothing of objects. Its refusal delays the object but does not move it to
    // `failed`.
    if (error.code === 0) throw error;
    if (error.status === 413) await this.#fail(only, "tooLarge");
    else await this.#again(only, processing);
    throw error;
  }

  async #sent(one: QueuedObject): Promise<void> {
    await this.#going.queue.sent(one);
    this.#forget(one);
    this.state.lastSuccessAt = Date.now();
  }
  #remember(): Promise<void> {
    const { device, lastSuccessAt } = this.state;
    return this.#going.savedState.save({ device, lastSuccessAt });
  }
  async #again(one: QueuedObject, reason: number): Promise<number> {
    const tries = (this.#tries.get(one.name) ?? 0) + 1;
    this.#tries.set(one.name, tries);
    this.#alone.add(one.name);
    if (tries >= maxAttempts) await this.#fail(one, formatReason(reason));
    return reason;
  }
  async #fail(one: QueuedObject, reason: string): Promise<void> {
    await this.#going.queue.fail(one, reason);
    this.#forget(one);
    this.#going.log(`Arcada does not keep ${one.uid} (${reason}): it lies in the folder "failed"`);
  }
  #forget({ name }: QueuedObject): void {
    this.#alone.delete(name);
    this.#tries.delete(name);
  }

  #mended(): void {
    if (this.state.trouble) this.#going.log(`Arcada takes images again; ${this.#going.queue.waiting.length} wait`);
    this.state.trouble = null;
    this.state.nextTryAt = null;
  }

  async #idle(): Promise<void> {
    const waking = new AbortController();
    const rest = this.#sleep(this.#going.backOff.helloMs, waking.signal);
    await Promise.race([this.#going.queue.arrival(), rest]);
    waking.abort();
  }

  /** Each pause is longer than the one before, and random, so that no two gateways share it. */
  async #pause(error: unknown): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    this.#note(error);
    if (isAccessDenied(error)) await this.#going.onAccessDenied();
    const { firstMs, mostMs } = this.#going.backOff;
    const request = error instanceof CloudRefused ? error.retryAfterMs : null;
    const pauseMs = Math.min(Math.max(firstMs * 2 ** this.#pauses, request ?? 0), mostMs) * (0.8 + Math.random() / 5);
    this.#pauses += 1;
    this.state.nextTryAt = Date.now() + pauseMs;
    await this.#sleep(pauseMs);
  }
  #note(error: unknown): void {
    const kind = error instanceof CloudRefused && ![502, 503, 504].includes(error.status) ? "refused" : "away";
    const code = error instanceof CloudRefused ? error.code : 0;
    const said = error instanceof Error ? error.message : String(error);
    const message = said.replaceAll(/\s+/g, " ").slice(0, 300) || "no connection";
    const before = this.state.trouble;
    if (before?.kind !== kind || before.code !== code)
      this.#going.log(`${kind === "refused" ? "Arcada refuses" : "Arcada is away"}: ${message}; all that came is kept`);
    this.state.trouble = { kind, code, message, since: before?.kind === kind ? before.since : Date.now() };
  }

  #sleep(ms: number, waking?: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, ...(waking ? [waking] : [])]);
    return sleep(ms, undefined, { signal }).catch(() => {});
  }
}

const formatReason = (reason: number): string => reason.toString(16).toUpperCase().padStart(4, "0");

/**
 * Returns the reason why an object is not kept; null: it is kept; undefined: Arcada does not say. An object that was
 * sent alone is identified without its UID.
 */
function findReason(
  one: QueuedObject,
  { length }: readonly QueuedObject[],
  answer: StoreResult,
): number | null | undefined {
  if (answer.kept.has(one.uid)) return null;
  const named = answer.failed.get(one.uid);
  if (named !== undefined || length > 1) return named;
  return answer.kept.size > 0 ? null : (answer.nameless[0] ?? [...answer.failed.values()][0] ?? processing);
}
