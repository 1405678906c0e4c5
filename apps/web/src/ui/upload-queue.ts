import { createStore } from "../kernel/store.ts";
import { startUpload } from "./upload.ts";
import type { RunningUpload } from "./upload.ts";
import type { UploadSession } from "./upload-session.ts";

export interface QueuedFile {
  key: string;
  name: string;
  bytes: number;
  sent: number;
  state: "waiting" | "running" | "refused" | "done";
  /** Why it was refused, in the reader's language. */
  problem: string | null;
}
export interface FinishedFile {
  id: string;
  name: string;
}
interface Entry extends QueuedFile {
  file: File;
  id: string | null;
  upload: RunningUpload | null;
}

const atOnce = 3;
const publishEvery = 150;
/** What operating systems leave in folders. */
const litter = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

/** Uploads a few files at a time. */
export class UploadQueue {
  readonly files = createStore<readonly QueuedFile[]>([]);
  readonly paused = createStore(false);
  readonly #entries = new Map<string, Entry>();
  readonly #session: UploadSession;
  #finished: (files: FinishedFile[]) => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: UploadSession) {
    this.#session = session;
  }

  /** Names who hears of a batch when nothing of it is left to send. */
  hear(finished: (files: FinishedFile[]) => void): void {
    this.#finished = finished;
  }

  add(chosen: readonly File[]): void {
    for (const file of chosen.filter(({ name }) => !litter.test(name))) {
      const key = keyOf(file);
      if (!this.#entries.has(key)) this.#entries.set(key, waiting(key, file));
    }
    this.#next();
  }

  pause(): void {
    this.paused.set(true);
    for (const entry of this.#in("running")) {
      entry.upload?.stop(false);
      Object.assign(entry, { state: "waiting", upload: null });
    }
    this.#publish();
  }

  resume(): void {
    this.paused.set(false);
    this.#next();
  }

  retry(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.state === "refused") Object.assign(entry, { state: "waiting", problem: null });
    this.#next();
  }

  /** Stops the upload and takes back what the server has of it. */
  cancel(key: string): void {
    this.#entries.get(key)?.upload?.stop(true);
    this.#entries.delete(key);
    this.#next();
  }

  cancelAll(): void {
    for (const { key, state } of this.#entries.values()) if (state !== "done") this.cancel(key);
    this.resume();
  }

  /** Stops for now: what was sent stays on the server, and the same file goes on from there. */
  leave(): void {
    for (const entry of this.#in("running")) {
      entry.upload?.stop(false);
      Object.assign(entry, { state: "waiting", upload: null });
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #in(state: QueuedFile["state"]): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.state === state);
  }

  #next(): void {
    const free = atOnce - this.#in("running").length;
    if (!this.paused.get()) for (const entry of this.#in("waiting").slice(0, free)) this.#run(entry);
    if (this.#in("waiting").length + this.#in("running").length === 0) this.#report();
    this.#publish();
  }

  #run(entry: Entry): void {
    entry.state = "running";
    entry.upload = startUpload(entry.file, this.#session, {
      progress: (sent) => {
        entry.sent = sent;
        this.#publish();
      },
      done: (id) => this.#ended(entry, { state: "done", sent: entry.bytes, id }),
      refused: (problem) => this.#ended(entry, { state: "refused", problem }),
    });
  }

  #ended(entry: Entry, change: Partial<Entry>): void {
    Object.assign(entry, change, { upload: null });
    this.#next();
  }

  #report(): void {
    const done = this.#in("done");
    for (const { key } of done) this.#entries.delete(key);
    if (done.length > 0) this.#finished(done.map(({ id, name }) => ({ id: id!, name })));
  }

  // Hundreds of slices report their progress many times a second: the page hears of all together, now and then.
  #publish(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.files.set([...this.#entries.values()].map(shown));
    }, publishEvery);
  }
}

const keyOf = (file: File): string => `${file.webkitRelativePath || file.name} ${file.size} ${file.lastModified}`;
const waiting = (key: string, file: File): Entry => ({
  key,
  name: file.name,
  bytes: file.size,
  sent: 0,
  state: "waiting",
  problem: null,
  file,
  id: null,
  upload: null,
});
const shown = ({ key, name, bytes, sent, state, problem }: Entry): QueuedFile => ({
  key,
  name,
  bytes,
  sent,
  state,
  problem,
});
