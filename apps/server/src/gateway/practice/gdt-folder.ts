import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findGdtRequest } from "@arcada/exchange/gdt/gdt-patient";
import type { GdtRequest } from "@arcada/exchange/gdt/gdt-patient";
import { gdtLimits, readGdt } from "@arcada/exchange/gdt/gdt-record";
import { ExchangeError } from "@arcada/exchange/exchange-error";
import { removeFile } from "../../platform/storage/durable-writes.ts";
import type { OpenBrowser } from "./open-browser.ts";
import type { PracticeCloud } from "./practice-cloud.ts";

interface GdtFolderOptions {
  /** Absolute. */
  folder: string;
  /** The name of Arcada in the practice program. */
  name: string;
  cloud: Pick<PracticeCloud, "createLaunchAddress">;
  openBrowser: OpenBrowser;
  /** Called for every patient that was opened. */
  onOpened?: (request: GdtRequest) => Promise<void>;
  log: (line: string) => void;
}

const maxFiles = 1000;
/**
 * A request that could not be carried out for so long is dropped: a patient who opens minutes later, while somebody
 * works on another, would be taken for that one.
 */
const staleMs = 60_000;

/**
 * Reads the files that a practice program writes for Arcada, opens their patients, and deletes them as GDT prescribes.
 * Files for other programs stay untouched. No line of the log names a patient or a file: both are medical data.
 */
export class GdtFolder {
  readonly #options: GdtFolderOptions;
  /** The size and time of each file at the last look; a file that did not change since is complete. */
  #seen = new Map<string, string>();
  /** Files that are done with but could not be deleted, or that cannot be read. */
  readonly #settled = new Map<string, string>();

  constructor(options: GdtFolderOptions) {
    this.#options = options;
  }

  /** Looks once; returns the number of patients that were opened. */
  async look(now = Date.now()): Promise<number> {
    const { folder } = this.#options;
    const files = (await readdir(folder)).filter((name) => /\.(gdt|\d{3})$/i.test(name));
    // Several programs may share the folder: files with Arcada's name come before the limit.
    const names = files
      .toSorted((one, other) => Number(this.#hasOwnName(other)) - Number(this.#hasOwnName(one)))
      .slice(0, maxFiles);
    const before = this.#seen;
    this.#seen = new Map();
    let opened = 0;
    for (const name of names) {
      const file = path.join(folder, name);
      const found = await stat(file).catch(() => null);
      if (!found?.isFile()) continue;
      const version = `${found.size} ${found.mtimeMs}`;
      this.#seen.set(name, version);
      if (before.get(name) !== version || this.#settled.get(name) === version) continue;
      if (await this.#take(file, name, { version, ageMs: now - found.mtimeMs, size: found.size })) opened++;
    }
    for (const name of this.#settled.keys()) if (!this.#seen.has(name)) this.#settled.delete(name);
    return opened;
  }

  async #take(file: string, name: string, found: { version: string; ageMs: number; size: number }): Promise<boolean> {
    const { log } = this.#options;
    const settle = () => this.#settled.set(name, found.version);
    const request = await this.#read(file, name, found.size).catch((error: unknown) => {
      // A file that another program holds open is looked at again.
      if (!(error instanceof ExchangeError)) return undefined;
      if (this.#hasOwnName(name)) log(`a file of GDT for Arcada cannot be read: ${error.problem}`);
      return null;
    });
    if (request === undefined) return false;
    if (request === null) {
      settle();
      return false;
    }
    const isOpened = found.ageMs < staleMs && (await this.#open(request));
    if (!isOpened && found.ageMs < staleMs) return false;
    if (!isOpened) log("a patient was not opened: the request of the practice program is more than a minute old");
    // Settled first: a file that cannot be deleted must not open its patient again and again.
    settle();
    await removeFile(file).catch(() =>
      log("a file of GDT was read but cannot be deleted: check the folder's permissions"),
    );
    return isOpened;
  }

  /** Returns null for a file that is for another program, or that opens no patient. */
  async #read(file: string, name: string, size: number): Promise<GdtRequest | null> {
    if (size > gdtLimits.bytes) throw new ExchangeError("tooLarge");
    const request = findGdtRequest(readGdt(await readFile(file)));
    if (!request) return null;
    const { sender, receiver } = request;
    const isOwn = (program: string) => program.toLowerCase() === this.#options.name.toLowerCase();
    // One program writes the receiver as the sender.
    if (isOwn(sender)) return { ...request, sender: receiver, receiver: sender };
    return isOwn(receiver) || this.#hasOwnName(name) ? request : null;
  }

  async #open(request: GdtRequest): Promise<boolean> {
    const { cloud, openBrowser, onOpened, log } = this.#options;
    try {
      await openBrowser(await cloud.createLaunchAddress({ person: request.person }));
    } catch (error) {
      log(`a patient waits to be opened: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`);
      return false;
    }
    await onOpened?.(request).catch(() => log("the results of a patient cannot be watched"));
    return true;
  }

  /** Files are named by receiver and sender, four letters each. */
  #hasOwnName(name: string): boolean {
    return name.toLowerCase().startsWith(this.#options.name.slice(0, 4).toLowerCase());
  }
}

/** Looks again and again until `signal` is aborted. Shares send no reliable events, and people wait for the patient. */
export async function watchGdtFolder(
  folder: GdtFolder,
  { signal, log, pollMs = 500 }: { signal: AbortSignal; log: (line: string) => void; pollMs?: number },
): Promise<void> {
  let trouble = "";
  while (!signal.aborted) {
    try {
      await folder.look();
      trouble = "";
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
      if (code !== trouble) log(`the folder of GDT waits: ${code}`);
      trouble = code;
    }
    await sleep(trouble === "" ? pollMs : 5000, undefined, { signal }).catch(() => {});
  }
}
