import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { labAgentProblems } from "@arcada/contract/order/lab-agent.rules";
import { removeFile, syncFolder, writeDurably } from "../../platform/storage/durable-writes.ts";
import { parseJson } from "../cloud-connection.ts";

const sentFile = z.object({ upload: z.string(), sha256: z.string() });
const caseRecord = z.object({
  order: z.uuid(),
  number: z.string(),
  /** The name of the case's folder; written down before the folder gets it. */
  folder: z.string(),
  state: z.enum(["delivering", "delivered"]),
  /** The content that was delivered: another value of the order means that the clinic has changed it. */
  content: z.string(),
  /** The files of the design that Arcada has; null: none was sent. */
  designKey: z.string().nullable(),
  designs: z.int(),
  /** A design whose files Arcada has, and which is to be submitted: a kill repeats the same request. */
  pending: z.object({ designKey: z.string(), files: z.array(sentFile) }).nullable(),
  /** A design that Arcada refused: it is tried again when its files, or the order, change. */
  refused: z.string().nullable(),
  problem: z.enum(labAgentProblems).nullable(),
  /** The time at which the order had ended, in milliseconds: it is not asked about any more. */
  closedAt: z.number().nullable(),
});
export type CaseRecord = z.output<typeof caseRecord>;

/**
 * The memory of deliveries and designs: one small file for each order, replaced as a whole, so that a kill leaves
 * either the old or the new state. `ls` shows the whole state.
 */
export class CaseRecords {
  readonly #folder: string;
  readonly #byOrder = new Map<string, CaseRecord>();

  static async opened(folder: string): Promise<CaseRecords> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const records = new CaseRecords(folder);
    for (const name of await readdir(folder)) {
      const at = path.join(folder, name);
      // The last replacement of a file was cut off: its old state is still there.
      if (!name.endsWith(".json")) {
        if (/\.json\./.test(name)) await removeFile(at);
        continue;
      }
      const read = caseRecord.safeParse(parseJson(await readFile(at, "utf8")));
      if (read.success) records.#byOrder.set(read.data.order, read.data);
    }
    await syncFolder(folder);
    return records;
  }
  private constructor(folder: string) {
    this.#folder = folder;
  }

  get all(): readonly CaseRecord[] {
    return [...this.#byOrder.values()];
  }
  find(order: string): CaseRecord | undefined {
    return this.#byOrder.get(order);
  }
  /** Resolves when the record would survive a power failure. */
  async save(record: CaseRecord): Promise<void> {
    const before = this.#byOrder.get(record.order);
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(record)) return;
    await writeDurably(path.join(this.#folder, `${record.order}.json`), `${JSON.stringify(record)}\n`, { mode: 0o600 });
    this.#byOrder.set(record.order, record);
  }
}
