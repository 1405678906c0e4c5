import { open, readFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { syncFolder } from "../../platform/storage/durable-writes.ts";

/** The outcome of a file: Arcada has it, or refused it for a reason. */
export type FileOutcome = "sent" | `refused ${string}`;

/**
 * The files of watched folders that are done with, each by its name without folder and its content: a file that is moved
 * or copied within the folder is not sent again, a file that changes is. Lines are appended and flushed, so that a kill
 * leaves at most a last line that is not whole.
 */
export class SentLedger {
  readonly #file: FileHandle;
  readonly #outcomes: Map<string, FileOutcome>;

  static async opened(folder: string): Promise<SentLedger> {
    const at = path.join(folder, "sent.log");
    const text = await readFile(at, "utf8").catch(() => "");
    const outcomes = new Map<string, FileOutcome>();
    for (const line of text.split("\n")) {
      const [, key, outcome] = /^([0-9a-f]{64}) (sent|refused \w+)$/.exec(line) ?? [];
      if (key !== undefined) outcomes.set(key, outcome as FileOutcome);
    }
    const file = await open(at, "a", 0o600);
    // A line that a kill cut off must not swallow the next one.
    if (text !== "" && !text.endsWith("\n")) await file.appendFile("\n");
    await syncFolder(folder);
    return new SentLedger(file, outcomes);
  }
  private constructor(file: FileHandle, outcomes: Map<string, FileOutcome>) {
    this.#file = file;
    this.#outcomes = outcomes;
  }

  outcomeOf(key: string): FileOutcome | undefined {
    return this.#outcomes.get(key);
  }

  /** Resolves when the lines would survive a power failure. */
  async record(keys: readonly string[], outcome: FileOutcome): Promise<void> {
    await this.#file.appendFile(keys.map((key) => `${key} ${outcome}\n`).join(""));
    await this.#file.sync();
    for (const key of keys) this.#outcomes.set(key, outcome);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
