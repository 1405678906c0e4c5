import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { labAgentReportCalls } from "@arcada/contract/integrations/lab-agent-report.calls";
import { labAgentCalls } from "@arcada/contract/order/lab-agent.calls";
import type { AgentOrder } from "@arcada/contract/order/lab-agent.calls";
import { labAgentRules } from "@arcada/contract/order/lab-agent.rules";
import type { LabAgentProblem } from "@arcada/contract/order/lab-agent.rules";
import { syncFolder } from "../../platform/storage/durable-writes.ts";
import { callCloud } from "../cloud-calls.ts";
import { CloudRefused, type OpenDownload, type SendRequest } from "../cloud-connection.ts";
import type { ForwardingTrouble } from "../forwarder.ts";
import { CaseRecords, type CaseRecord } from "./case-record.ts";
import { adoptCase, deliverCase, recoverCases } from "./deliver-case.ts";
import { DesignFinder } from "./design-files.ts";
import { listProblems, nameProblem, reviewOrder } from "./case-problems.ts";
import { refusalKey, sendDesign, submitPending } from "./send-design.ts";
import { BrokenCase } from "./unpack-case.ts";

/** State of a laboratory's agent, in figures and numbers of orders alone: names of cases are names of patients. */
export interface LabAgentState {
  folder: string;
  /** As Arcada names the laboratory; null before Arcada was reached. */
  laboratory: string | null;
  delivered: number;
  designs: number;
  waiting: number;
  problems: { problem: LabAgentProblem; numbers: string[] }[];
  trouble: ForwardingTrouble | null;
  lastSuccessAt: number | null;
  nextTryAt: number | null;
}

export interface LabAgentOptions {
  ask: SendRequest;
  download: OpenDownload;
  closeConnection: () => void;
  /** The folder that exocad watches. */
  labFolder: string;
  /** The agent's own folder. */
  folder: string;
  softwareVersion: string;
  pollMs: number;
  settleMs: number;
  mostPauseMs: number;
  reportMs: number;
  log: (line: string) => void;
}

/** The longest pause before a case that arrived damaged is fetched again. */
const mostRetryMs = 3_600_000;

/**
 * Carries the orders that a laboratory designs into the folder of its CAD program, and finished designs back. The folder
 * belongs to that program: the agent adds cases there, and neither changes nor removes anything.
 */
export class LabAgent {
  readonly state: LabAgentState;
  readonly #options: LabAgentOptions;
  readonly #records: CaseRecords;
  readonly #designs: DesignFinder;
  readonly #stopped = new AbortController();
  readonly #over: Promise<void>;
  /** Cases that arrived damaged: how often, and when they are fetched again. */
  readonly #broken = new Map<string, { count: number; retryAt: number }>();
  #recovered: Map<string, string> | null = null;
  #folderProblem: LabAgentProblem | null = null;
  #pauses = 0;
  #reported = { at: 0, text: "" };

  static async opened(options: LabAgentOptions): Promise<LabAgent> {
    await mkdir(path.join(options.folder, "incoming"), { recursive: true, mode: 0o700 });
    await syncFolder(options.folder);
    return new LabAgent(options, await CaseRecords.opened(path.join(options.folder, "cases")));
  }
  private constructor(options: LabAgentOptions, records: CaseRecords) {
    this.#options = options;
    this.#records = records;
    this.#designs = new DesignFinder(options.settleMs);
    this.state = {
      folder: options.labFolder,
      laboratory: null,
      delivered: 0,
      designs: 0,
      waiting: 0,
      problems: [],
      trouble: null,
      lastSuccessAt: null,
      nextTryAt: null,
    };
    this.#count(0);
    this.#over = this.#run();
  }
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#options.closeConnection();
    await this.#over;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      let pauseMs = this.#options.pollMs;
      try {
        await this.#step();
        this.#mended();
      } catch (error) {
        pauseMs = this.#note(error);
      }
      await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
    }
  }

  async #step(): Promise<void> {
    const open = this.#records.all.filter(({ closedAt }) => closedAt === null);
    const known = open.map(({ order }) => order).slice(0, labAgentRules.maxKnown);
    const answer = await callCloud(this.#options.ask, labAgentCalls.orders, { known });
    await this.#inFolder(async () => {
      // A drive that is not mounted must not look like a folder without cases.
      await readdir(this.#options.labFolder);
      this.#recovered ??= new Map(await recoverCases(this.#deliveryOptions()));
      const waiting = await this.#deliverAll(answer.wanted);
      this.#count(waiting);
      await this.#followCases(known, [...answer.known, ...answer.wanted]);
      this.#count(waiting);
    });
    await this.#report();
  }

  /** A folder that cannot be used is reported like any other problem; the agent goes on trying. */
  async #inFolder(work: () => Promise<void>): Promise<void> {
    const before = this.#folderProblem;
    try {
      await work();
      this.#folderProblem = null;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (error instanceof CloudRefused || !folderErrors.has(code)) throw error;
      this.#folderProblem = ["ENOSPC", "EDQUOT"].includes(code) ? "diskFull" : "folderUnusable";
      if (this.#folderProblem !== before) this.#options.log(`the folder cannot be used: ${code}`);
    }
    this.#count(this.state.waiting);
  }

  /** Returns how many orders still wait. */
  async #deliverAll(wanted: readonly AgentOrder[]): Promise<number> {
    const missing = wanted.filter(({ id, files }) => files > 0 && this.#records.find(id)?.state !== "delivered");
    let waiting = missing.length;
    for (const order of missing) {
      if (this.#stopped.signal.aborted) return waiting;
      if (Date.now() < (this.#broken.get(order.id)?.retryAt ?? 0)) continue;
      if (await this.#deliver(order)) waiting -= 1;
      this.#count(waiting);
    }
    return waiting;
  }

  async #deliver(order: AgentOrder): Promise<boolean> {
    const folder = this.#recovered?.get(order.id);
    try {
      if (folder !== undefined) await adoptCase(this.#records, order, folder);
      else await deliverCase(this.#deliveryOptions(), order);
      this.#broken.delete(order.id);
      this.#options.log(`${folder === undefined ? "delivered" : "found"} the case of order ${order.number}`);
      return true;
    } catch (error) {
      // The order was taken back between the list and the request.
      if (error instanceof CloudRefused && [403, 404, 409].includes(error.status) && error.code !== 0) return false;
      if (!(error instanceof BrokenCase)) throw error;
      const count = (this.#broken.get(order.id)?.count ?? 0) + 1;
      const retryMs = Math.min(this.#options.pollMs * 2 ** count, mostRetryMs);
      this.#broken.set(order.id, { count, retryAt: Date.now() + retryMs });
      this.#options.log(`the case of order ${order.number} arrived damaged (${error.message}): it is fetched again`);
      return false;
    }
  }

  /** Looks at each delivered case: what became of its order, and whether a design is ready. */
  async #followCases(asked: readonly string[], answered: readonly AgentOrder[]): Promise<void> {
    const orders = new Map(answered.map((order) => [order.id, order]));
    for (const id of asked) {
      if (this.#stopped.signal.aborted) return;
      const record = this.#records.find(id);
      if (!record) continue;
      const order = orders.get(id);
      const reviewed = reviewOrder(record, order);
      const followed = order && reviewed.closedAt === null ? await this.#followDesign(reviewed, order) : reviewed;
      nameProblem(this.#options.log, record, followed);
      await this.#records.save(followed);
    }
  }

  async #followDesign(record: CaseRecord, order: AgentOrder): Promise<CaseRecord> {
    if (record.state !== "delivered") return record;
    if (record.pending) return submitPending(this.#sendingOptions(), record, order);
    const found = await this.#designs
      .find(path.join(this.#options.labFolder, record.folder))
      .catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing" as const;
        throw error;
      });
    if (found === "missing") return { ...record, problem: "caseMissing" };
    if (!found || found.key === record.designKey) return record;
    if (order.state === "awaiting_scheme") return record;
    if (order.state !== "awaiting_design") return record.designs > 0 ? { ...record, problem: "designLate" } : record;
    if (record.refused === refusalKey(found, order)) return { ...record, problem: "designRefused" };
    return sendDesign(this.#sendingOptions(), record, found, order);
  }

  #deliveryOptions() {
    const { ask, download, labFolder, folder } = this.#options;
    return { ask, download, labFolder, records: this.#records, incoming: path.join(folder, "incoming") };
  }
  #sendingOptions() {
    const { ask, folder, log } = this.#options;
    const incoming = path.join(folder, "incoming");
    return { ask, log, records: this.#records, designs: this.#designs, incoming };
  }

  #count(waiting: number): void {
    const records = this.#records.all;
    const delivered = records.filter(({ state }) => state === "delivered").length;
    const designs = records.reduce((sum, record) => sum + record.designs, 0);
    const folder = this.#folderProblem ? [{ problem: this.#folderProblem, numbers: [] }] : [];
    const broken = [...this.#broken.keys()].length > 0 ? [{ problem: "downloadBroken" as const, numbers: [] }] : [];
    const problems = [...folder, ...broken, ...listProblems(records)];
    Object.assign(this.state, { delivered, designs, waiting, problems });
  }

  /** Reports at once what changed, and otherwise that the agent still runs. */
  async #report(): Promise<void> {
    const { delivered, designs, waiting, problems } = this.state;
    const [gravest] = problems;
    const report = {
      version: this.#options.softwareVersion,
      delivered,
      designs,
      waiting,
      problem: gravest?.problem ?? null,
      numbers: gravest?.numbers.slice(0, labAgentRules.maxNumbers) ?? [],
    };
    const text = JSON.stringify(report);
    if (text === this.#reported.text && Date.now() - this.#reported.at < this.#options.reportMs) return;
    const { laboratory } = await callCloud(this.#options.ask, labAgentReportCalls.report, report);
    this.state.laboratory = laboratory;
    this.#reported = { at: Date.now(), text };
  }

  #mended(): void {
    if (this.state.trouble) this.#options.log("Arcada answers again");
    this.#pauses = 0;
    Object.assign(this.state, { trouble: null, nextTryAt: null, lastSuccessAt: Date.now() });
  }

  /** Returns the time until the next attempt: longer each time, and random, so that no two agents share it. */
  #note(error: unknown): number {
    if (this.#stopped.signal.aborted) return 0;
    const isRefused = error instanceof CloudRefused && ![502, 503, 504].includes(error.status);
    const kind = isRefused ? "refused" : "away";
    const code = error instanceof CloudRefused ? error.code : 0;
    const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").slice(0, 300);
    const before = this.state.trouble;
    if (before?.kind !== kind || before.code !== code)
      this.#options.log(`${isRefused ? "Arcada refuses" : "Arcada is away"}: ${message}`);
    const asked = error instanceof CloudRefused ? (error.retryAfterMs ?? 0) : 0;
    const pauseMs =
      Math.min(Math.max(this.#options.pollMs * 2 ** this.#pauses, asked), this.#options.mostPauseMs) *
      (0.8 + Math.random() / 5);
    this.#pauses += 1;
    const since = before?.kind === kind ? before.since : Date.now();
    Object.assign(this.state, { trouble: { kind, code, message, since }, nextTryAt: Date.now() + pauseMs });
    return pauseMs;
  }
}

const folderErrors = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS", "EIO", "ENOSPC", "EDQUOT", "EBUSY"]);
