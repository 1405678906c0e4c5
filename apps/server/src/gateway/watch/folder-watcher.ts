import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, readdir, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { senderPerson } from "@arcada/contract/study/inbox.calls";
import { isIgnoredFile } from "@arcada/exchange/scan-folder/case-file-role";
import { groupCaseFiles } from "@arcada/exchange/scan-folder/group-case-files";
import type { CaseFolder } from "@arcada/exchange/scan-folder/group-case-files";
import { removeFile, syncFolder } from "../../platform/storage/durable-writes.ts";
import type { CloudClient } from "../cloud-client.ts";
import { CloudRefused, parseJson } from "../cloud-connection.ts";
import { checkFile, listFiles, readCasePerson } from "./folder-files.ts";
import type { SeenFile } from "./folder-files.ts";
import { SentLedger } from "./sent-ledger.ts";
import type { WatchedFolder } from "./watched-folder.ts";

/** State of one watched folder, in figures alone: the names of cases are names of patients. */
export interface WatchState {
  folder: string;
  kind: WatchedFolder["kind"];
  /** Files that Arcada has. */
  sent: number;
  /** Files that still change, or are not complete. */
  growing: number;
  /** Files that are complete and wait for the connection. */
  waiting: number;
  refused: number;
  trouble: "unreadable" | "tooManyFiles" | "away" | null;
}

interface WatcherOptions {
  watched: WatchedFolder;
  cloud: Pick<CloudClient, "upload" | "complete">;
  ledger: SentLedger;
  /** The folder of this watcher's uploads in progress. */
  folder: string;
  pollMs: number;
  /** A file that did not change for so long is complete. */
  settleMs: number;
  log: (line: string) => void;
}

/**
 * Opens the ledger that all watched folders share, and a folder of its own for the uploads of each: two watchers must
 * not complete the same case.
 */
export async function openWatchState(
  folder: string,
  watched: readonly WatchedFolder[],
): Promise<{ ledger: SentLedger; folders: string[] }> {
  const own = path.join(folder, "watch");
  const folders = watched.map((one) =>
    path.join(own, createHash("sha256").update(one.folder).digest("hex").slice(0, 16)),
  );
  for (const each of [own, ...folders]) await mkdir(each, { recursive: true, mode: 0o700 });
  await syncFolder(own);
  await syncFolder(folder);
  return { folders, ledger: await SentLedger.opened(own) };
}

/**
 * Sends the cases of a folder that another program writes into. It looks at the folder again and again, because file
 * events come twice, early or never on network shares. The source is never changed.
 */
export class FolderWatcher {
  readonly state: WatchState;
  readonly #options: WatcherOptions;
  readonly #stopped = new AbortController();
  /** The last look at each file: its size and time, since when they are the same, and the key of its content. */
  readonly #seen = new Map<string, { file: SeenFile; since: number; key?: string }>();
  readonly #over: Promise<void>;
  #failures = 0;

  constructor(options: WatcherOptions) {
    const { folder, kind } = options.watched;
    this.state = { folder, kind, sent: 0, growing: 0, waiting: 0, refused: 0, trouble: null };
    this.#options = options;
    this.#over = this.#run();
  }
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#over;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#look();
        this.#failures = 0;
      } catch (error) {
        this.#note(error);
        this.#failures++;
      }
      const pauseMs = Math.min(this.#options.pollMs * 2 ** this.#failures, 60_000);
      await sleep(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
    }
  }

  #note(error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const trouble = ["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(code) ? "unreadable" : "away";
    if (this.state.trouble !== trouble)
      // Messages of the file system contain paths, and the paths of cases are names of patients.
      this.#options.log(`the folder ${this.state.folder} waits: ${code || describeCloud(error)}`);
    this.state.trouble = trouble;
  }

  async #look(): Promise<void> {
    const { watched } = this.#options;
    await this.#finishSending();
    const { files, isCut } = await listFiles(watched.folder);
    this.#remember(files);
    let [growing, waiting] = [0, 0];
    for (const one of this.#group(files)) {
      // A file that another program holds delays its own case alone.
      const ready = await this.#readyFiles(one).catch(() => null);
      growing += ready === null ? one.paths.length : 0;
      waiting += ready?.length ?? 0;
      if (!ready || ready.length === 0) continue;
      Object.assign(this.state, { growing, waiting });
      await this.#send(one, ready);
      waiting -= ready.length;
      if (this.#stopped.signal.aborted) return;
    }
    Object.assign(this.state, { growing, waiting, trouble: isCut ? "tooManyFiles" : null });
  }

  #remember(files: readonly SeenFile[]): void {
    const names = new Set(files.map(({ name }) => name));
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
    for (const file of files) {
      const before = this.#seen.get(file.name);
      const isSame = before?.file.bytes === file.bytes && before.file.modifiedAt === file.modifiedAt;
      if (!isSame) this.#seen.set(file.name, { file, since: Date.now() });
    }
  }

  #group(files: readonly SeenFile[]): CaseFolder[] {
    const names = files.map(({ name }) => name).filter((name) => !isIgnoredFile(name));
    if (this.#options.watched.kind === "IOS") return groupCaseFiles(names);
    return names.map((name) => ({ name, project: null, paths: [name] }));
  }

  /** Returns the files of a case that are to be sent; null while any of its files may still grow. */
  async #readyFiles({ paths }: CaseFolder): Promise<ReadyFile[] | null> {
    const ready: ReadyFile[] = [];
    for (const name of paths) {
      const seen = this.#seen.get(name)!;
      if (Date.now() - seen.since < this.#options.settleMs) return null;
      if (seen.key !== undefined && this.#isDone(seen.key)) continue;
      const at = path.join(this.#options.watched.folder, name);
      const state = await checkFile(at, seen.file.bytes);
      if (state === "growing" || state === "unreadable") return null;
      if (state === "ignored") continue;
      seen.key ??= await fileKey(at, name);
      if (!this.#isDone(seen.key))
        ready.push({ path: at, name: baseName(name), bytes: seen.file.bytes, key: seen.key });
    }
    return ready;
  }
  #isDone(key: string): boolean {
    return this.#options.ledger.outcomeOf(key) !== undefined;
  }

  /** Uploads the files, and writes down what is to be completed before it asks for it: a kill repeats the same request. */
  async #send(one: CaseFolder, files: readonly ReadyFile[]): Promise<void> {
    const { cloud, folder, watched } = this.#options;
    const person = await readCasePerson(watched.folder, one).catch(() => undefined);
    // The project file cannot be read now: without its name the case would go to the inbox.
    if (person === undefined) return;
    const keys = files.map(({ key }) => key);
    const uploads: string[] = [];
    try {
      // Files with one content are one upload.
      for (const file of new Map(files.map((each) => [each.key, each])).values())
        uploads.push(await cloud.upload({ ...file, addressFile: path.join(folder, `${file.key}.upload`) }));
    } catch (error) {
      if (!isFinal(error)) throw error;
      return this.#refuse(keys, error);
    }
    if (await this.#haveChanged(one, files)) return;
    const caseKey = createHash("sha256")
      .update(JSON.stringify([keys, uploads]))
      .digest("hex");
    const pending: PendingCase = { keys, uploads, person };
    const at = path.join(folder, `${caseKey}.case`);
    await writeFile(`${at}~`, JSON.stringify(pending), { mode: 0o600, flush: true });
    await rename(`${at}~`, at);
    await syncFolder(folder);
    await this.#complete(at, pending);
  }

  /** Drops the uploads if a program wrote into a file meanwhile: the next look begins anew. */
  async #haveChanged({ paths }: CaseFolder, files: readonly ReadyFile[]): Promise<boolean> {
    const { folder, watched } = this.#options;
    for (const name of paths) {
      const { file } = this.#seen.get(name)!;
      const now = await stat(path.join(watched.folder, name)).catch(() => null);
      if (now?.size === file.bytes && now.mtimeMs === file.modifiedAt) continue;
      for (const { key } of files) await removeFile(path.join(folder, `${key}.upload`));
      return true;
    }
    return false;
  }

  /** Completes the cases whose completion a kill or a broken connection left open. */
  async #finishSending(): Promise<void> {
    const { folder } = this.#options;
    for (const name of await readdir(folder)) {
      if (!name.endsWith(".case")) continue;
      const at = path.join(folder, name);
      const pending = pendingCase.safeParse(parseJson(await readFile(at, "utf8")));
      if (pending.success) await this.#complete(at, pending.data);
      // Its files are not in the ledger: the next look sends them again.
      else await removeFile(at);
    }
  }

  async #complete(at: string, { keys, uploads, person }: PendingCase): Promise<void> {
    const { cloud, ledger } = this.#options;
    try {
      await cloud.complete({ uploads, ...(person && { person }) }, path.basename(at, ".case"));
    } catch (error) {
      if (!isFinal(error)) throw error;
      // Arcada no longer has the uploads: the next look sends the files again.
      if (error.status !== 404) await this.#refuse(keys, error);
      await this.#forget(at, keys);
      return;
    }
    await ledger.record(keys, "sent");
    this.state.sent += keys.length;
    await this.#forget(at, keys);
    this.#options.log(`sent a case of ${keys.length} files from ${this.state.folder}`);
  }

  async #forget(at: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) await removeFile(path.join(this.#options.folder, `${key}.upload`));
    await removeFile(at);
  }

  async #refuse(keys: readonly string[], error: CloudRefused): Promise<void> {
    await this.#options.ledger.record(keys, `refused ${error.code}`);
    this.state.refused += keys.length;
    this.#options.log(`Arcada does not take ${keys.length} files: refusal ${error.code}`);
  }
}

interface ReadyFile {
  path: string;
  name: string;
  bytes: number;
  key: string;
}

const pendingCase = z.object({
  keys: z.array(z.string()),
  uploads: z.array(z.string()),
  person: senderPerson.nullable(),
});
type PendingCase = z.output<typeof pendingCase>;

/** Arcada itself says no to these files; a lock of the device, a conflict, a full store and too many requests pass. */
function isFinal(error: unknown): error is CloudRefused {
  return error instanceof CloudRefused && error.code !== 0 && [400, 404, 413, 415, 422].includes(error.status);
}

const describeCloud = (error: unknown): string =>
  error instanceof CloudRefused ? `Arcada answers ${error.status}` : "no connection";

const baseName = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

async function fileKey(at: string, name: string): Promise<string> {
  const hash = createHash("sha256").update(`${baseName(name)}\n`);
  await pipeline(createReadStream(at), hash);
  return hash.digest("hex");
}
