import { createStore } from "../../browser/external-store.ts";
import { getFilePath, startUpload } from "./resumable-upload.ts";
import type { RunningUpload } from "./resumable-upload.ts";
import type { UploadSession } from "./upload-authentication.ts";

export interface QueuedFile {
  key: string;
  name: string;
  bytes: number;
  sent: number;
  state: "waiting" | "running" | "refused" | "done";
  /** The reason of the rejection, in the reader's language. */
  problem: string | null;
}
export interface FinishedFile {
  id: string;
  name: string;
  key: string;
}
interface Entry extends QueuedFile {
  file: File;
  upload: RunningUpload | null;
}
interface QueueHandlers {
  onArrived?: (file: FinishedFile) => void;
  /** Called when the user cancels a file. */
  onCancelled?: (key: string) => void;
  /** Called when nothing is left to send. Rejected files stay in the queue with their reasons. */
  onIdle?: () => void;
}

/** The limit over all queues: a browser holds six connections to a server, and the page needs some of them. */
const maxConcurrent = 3;
const publishIntervalMs = 150;

/** Uploads a few files at a time. */
export class UploadQueue {
  readonly files = createStore<readonly QueuedFile[]>([]);
  readonly paused = createStore(false);
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Set<Entry>();
  readonly #running = new Set<Entry>();
  readonly #session: UploadSession;
  #hearing: QueueHandlers = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: UploadSession) {
    this.#session = session;
  }

  setHandlers(handlers: QueueHandlers): void {
    this.#hearing = handlers;
  }

  /**
   * Returns the files that were added: without hidden system files, and without files that are in the queue already.
   */
  add(chosen: readonly File[], keyOf = getFileKey): QueuedFile[] {
    const added = chosen
      .filter((file) => !isSystemFile(getFilePath(file)))
      .map((file) => createEntry(file, keyOf(file)))
      .filter((entry) => !this.#entries.has(entry.key));
    for (const entry of added) {
      this.#entries.set(entry.key, entry);
      this.#waiting.add(entry);
    }
    this.#goOn();
    return added.map(toQueuedFile);
  }

  pause(): void {
    this.paused.set(true);
    this.#hold();
    this.#goOn();
  }

  resume(): void {
    this.paused.set(false);
    this.#goOn();
  }

  retry(key: string): void {
    this.#again([this.#entries.get(key)!]);
  }

  retryAll(): void {
    this.#again([...this.#entries.values()]);
  }

  /** Stops the upload and deletes the data that the server already has. */
  cancel(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.upload?.stop(true);
    for (const set of [this.#waiting, this.#running]) set.delete(entry);
    this.#entries.delete(key);
    this.#hearing.onCancelled?.(key);
    // The queue was only waiting because of this rejected file, so it is finished now.
    if (entry.state === "refused" && !queues.has(this)) this.#hearing.onIdle?.();
    this.#goOn();
  }

  cancelAll(): void {
    for (const { key, state } of this.#entries.values()) if (state !== "done") this.cancel(key);
    this.resume();
  }

  /** Forgets the files that have arrived; they belong to the caller now. */
  removeDone(): void {
    for (const { key, state } of this.#entries.values()) if (state === "done") this.#entries.delete(key);
    this.#publish();
  }

  /** Stops for now. The data that was sent stays on the server, and the same file resumes from there. */
  detach(): void {
    this.#hold();
    queues.delete(this);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    startNextUploads();
  }

  get hasRefused(): boolean {
    return [...this.#entries.values()].some(({ state }) => state === "refused");
  }
  get runningCount(): number {
    return this.#running.size;
  }
  get isWaiting(): boolean {
    return !this.paused.get() && this.#waiting.size > 0;
  }
  runNext(): void {
    const [entry] = this.#waiting;
    if (!entry) return;
    this.#waiting.delete(entry);
    this.#running.add(entry);
    entry.state = "running";
    entry.upload = startUpload(entry.file, this.#session, {
      progress: (sent) => {
        entry.sent = sent;
        this.#publish();
      },
      done: (id) => {
        this.#ended(entry, { state: "done", sent: entry.bytes });
        this.#hearing.onArrived?.({ id, name: entry.name, key: entry.key });
        this.#goOn();
      },
      refused: (problem, signedOut) => {
        if (signedOut) return this.#signedOut();
        this.#ended(entry, { state: "refused", problem });
        this.#goOn();
      },
    });
  }

  #hold(): void {
    for (const entry of this.#running) {
      entry.upload?.stop(false);
      Object.assign(entry, { state: "waiting", upload: null });
      this.#waiting.add(entry);
    }
    this.#running.clear();
  }

  /** Pauses the queue. After the user signs in again, it continues. */
  #signedOut(): void {
    this.pause();
    this.#session.ended();
  }

  #again(entries: readonly Entry[]): void {
    for (const entry of entries.filter(({ state }) => state === "refused")) {
      Object.assign(entry, { state: "waiting", problem: null });
      this.#waiting.add(entry);
    }
    this.#goOn();
  }

  #ended(entry: Entry, change: Partial<Entry>): void {
    this.#running.delete(entry);
    Object.assign(entry, change, { upload: null });
  }

  #goOn(): void {
    if (this.#waiting.size + this.#running.size > 0) queues.add(this);
    else if (queues.delete(this)) this.#hearing.onIdle?.();
    startNextUploads();
    this.#publish();
  }

  // Hundreds of slices report their progress many times a second, so the page is notified of all together, in
  // intervals.
  #publish(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.files.set([...this.#entries.values()].map(toQueuedFile));
    }, publishIntervalMs);
  }
}

const queues = new Set<UploadQueue>();

/** The queue with the fewest running uploads is next. */
function startNextUploads(): void {
  let free = maxConcurrent - [...queues].reduce((sum, { runningCount }) => sum + runningCount, 0);
  for (; free > 0; free--) {
    const [next] = [...queues]
      .filter(({ isWaiting }) => isWaiting)
      .toSorted((one, other) => one.runningCount - other.runningCount);
    if (!next) return;
    next.runNext();
  }
}

/** True for hidden files that operating systems and programs leave in folders. */
const isSystemFile = (path: string): boolean => /(^|\/)(__MACOSX\/|\.[^/]|(Thumbs\.db|desktop\.ini)$)/i.test(path);

/** Returns a key that is the same when the same file is chosen again, on this page and on the next. */
export const getFileKey = (file: File): string => `${getFilePath(file)} ${file.size} ${file.lastModified}`;
const createEntry = (file: File, key: string): Entry => ({
  key,
  name: file.name,
  bytes: file.size,
  sent: 0,
  state: "waiting",
  problem: null,
  file,
  upload: null,
});
const toQueuedFile = ({ key, name, bytes, sent, state, problem }: Entry): QueuedFile => ({
  key,
  name,
  bytes,
  sent,
  state,
  problem,
});
