import path from "node:path";
import { LRUCache } from "lru-cache";
import type { WorklistEntry } from "@arcada/contract/device/device.calls";
import { worklistEntry } from "@arcada/contract/device/device.calls";
import { z } from "zod";
import { explicitLittleEndian } from "../dimse/presentation-contexts.ts";
import { ServiceRefused, type ServiceRequest } from "../dimse/service.ts";
import { removeFile, readText, writeDurably } from "../platform/storage/durable-writes.ts";
import type { CloudClient } from "./cloud-client.ts";
import { CloudRefused, isAccessDenied } from "./cloud-connection.ts";
import type { GatewayConfig } from "./gateway.config.ts";
import { createResponseWriter } from "../dimse/worklist/worklist-response.ts";
import { toScheduledStep } from "../dimse/worklist/scheduled-step.ts";
import { parseWorklistIdentifier, toWorklistFilter, type WorklistQuery } from "../dimse/worklist/worklist-query.ts";

type CloudQuery = Parameters<CloudClient["worklist"]>[0];
const worklistRules = { freshMs: 10_000, againMs: 300_000, pages: 5, answers: 500 } as const;
const cachedListSchema = z.object({ at: z.number(), list: z.array(worklistEntry) });
type CachedList = z.output<typeof cachedListSchema>;

/**
 * The clinic's patients of today for searches of devices; also available for some hours while Arcada cannot be reached.
 */
export class Worklist {
  readonly #config: GatewayConfig;
  readonly #cloud: CloudClient;
  readonly #file: string;
  #today: CachedList | null = null;
  /** Recent results: a device repeats the same query. */
  readonly #fresh = new LRUCache<string, Promise<WorklistEntry[]>>({ max: 100, ttl: worklistRules.freshMs });
  /** Until this time no query waits again for an Arcada that did not respond. */
  #awayUntil = 0;
  readonly #again: NodeJS.Timeout;

  static async opened(config: GatewayConfig, cloud: CloudClient): Promise<Worklist> {
    const worklist = new Worklist(config, cloud);
    worklist.#today = await readText(worklist.#file)
      .then((text) => cachedListSchema.parse(JSON.parse(text ?? "")))
      // A list that cannot be read is requested again.
      .catch(() => null);
    void worklist.#renew();
    return worklist;
  }
  private constructor(config: GatewayConfig, cloud: CloudClient) {
    this.#config = config;
    this.#cloud = cloud;
    this.#file = path.join(config.folder, "worklist.json");
    this.#again = setInterval(() => void this.#renew(), worklistRules.againMs);
  }
  /** Age and size of the list that is answered while Arcada cannot be reached; null: there is none. */
  get kept(): { ageMs: number; count: number } | null {
    return this.#today && { ageMs: Date.now() - this.#today.at, count: this.#today.list.length };
  }
  close(): void {
    clearInterval(this.#again);
  }

  readonly find = async ({ identifier, transferSyntax, callingTitle }: ServiceRequest): Promise<readonly Buffer[]> => {
    const explicit = transferSyntax === explicitLittleEndian;
    const [asked, criteria] = parseWorklistIdentifier(identifier, explicit);
    const stations = this.#config.GATEWAY_CALLING_AES ?? new Map<string, string | null>();
    const title = stations.has(criteria.station) ? criteria.station : callingTitle;
    const modality = stations.get(title) ?? (criteria.modality || "OT");
    const writeResponse = createResponseWriter(asked, explicit, this.#config.GATEWAY_CHARACTER_SET);
    const found = await this.#entries(criteria);
    const scheduledSteps = found.map((entry) => toScheduledStep(entry, { title, modality }));
    const matching = scheduledSteps.filter((one) => criteria.matches(one));
    if (matching.length > worklistRules.answers)
      throw new ServiceRefused("outOfResources", `more than ${worklistRules.answers} answers: ask for less`);
    return matching.map(writeResponse);
  };

  /**
   * Returns Arcada's entries. If Arcada cannot answer, returns the entries of the last list, unless that list is too
   * old.
   */
  async #entries(criteria: WorklistQuery): Promise<WorklistEntry[]> {
    try {
      if (Date.now() < this.#awayUntil) throw new Error("away");
      return await this.#asked(toWorklistFilter(criteria));
    } catch (error) {
      if (isAccessDenied(error)) {
        await this.forget();
        throw new ServiceRefused("cannotProcess", "Arcada refuses this device");
      }
      const isAway = !(error instanceof CloudRefused);
      if (isAway && Date.now() >= this.#awayUntil) this.#awayUntil = Date.now() + worklistRules.freshMs;
      const { kept } = this;
      if (!kept || kept.ageMs > this.#config.GATEWAY_OFFLINE_HOURS * 3_600_000)
        throw new ServiceRefused("cannotProcess", "Arcada is away and the work list too old");
      const named = (entry: WorklistEntry) =>
        criteria.matchesPatient(toScheduledStep(entry, { title: "", modality: "" }));
      return this.#today!.list.filter(named);
    }
  }

  async #renew(): Promise<void> {
    await this.#asked({}).catch(async (error: unknown) => {
      if (isAccessDenied(error)) await this.forget();
    });
  }

  #asked(query: CloudQuery): Promise<WorklistEntry[]> {
    const key = JSON.stringify(query);
    const known = this.#fresh.get(key);
    if (known) return known;
    const list = this.#read(query);
    this.#fresh.set(key, list);
    list.catch(() => this.#fresh.peek(key) === list && this.#fresh.delete(key));
    return list;
  }

  async #read(query: CloudQuery): Promise<WorklistEntry[]> {
    const list: WorklistEntry[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < worklistRules.pages; page++) {
      const writeResponse = await this.#cloud.worklist({ ...query, zone, ...(cursor && { cursor }) });
      list.push(...writeResponse.list);
      if (writeResponse.next === null) break;
      cursor = writeResponse.next;
    }
    if (Object.keys(query).length === 0) await this.#keep({ at: Date.now(), list });
    return list;
  }

  async #keep(today: CachedList): Promise<void> {
    this.#today = today;
    await writeDurably(this.#file, JSON.stringify(today), { mode: 0o600 });
  }
  /** A device that is refused must not keep patient names. */
  async forget(): Promise<void> {
    this.#today = null;
    this.#fresh.clear();
    await removeFile(this.#file);
  }
}

const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
