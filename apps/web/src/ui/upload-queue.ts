import { createStore } from "../kernel/store.ts";
import type { Store } from "../kernel/store.ts";
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
export interface UploadQueue {
  files: Store<readonly QueuedFile[]>;
  paused: Store<boolean>;
  add(files: readonly File[]): void;
  pause(): void;
  resume(): void;
  retry(key: string): void;
  /** Stops the upload and takes back what the server has of it. */
  cancel(key: string): void;
  cancelAll(): void;
  /** Stops for now: what was sent stays on the server, and the same file goes on from there. */
  leave(): void;
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

/** Uploads a few files at a time. `finished` hears of a batch when nothing of it is left to send. */
export function createUploadQueue(session: UploadSession, finished: (files: FinishedFile[]) => void): UploadQueue {
  const entries = new Map<string, Entry>();
  const files = createStore<readonly QueuedFile[]>([]);
  const paused = createStore(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  // Hundreds of slices report their progress many times a second: the page hears of all together, now and then.
  const publish = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      files.set([...entries.values()].map(shown));
    }, publishEvery);
  };
  const inState = (state: QueuedFile["state"]) => [...entries.values()].filter((entry) => entry.state === state);
  const next = () => {
    if (!paused.get()) for (const entry of inState("waiting").slice(0, atOnce - inState("running").length)) run(entry);
    if (inState("waiting").length + inState("running").length === 0) report();
    publish();
  };
  const report = () => {
    const done = inState("done");
    for (const { key } of done) entries.delete(key);
    if (done.length > 0) finished(done.map(({ id, name }) => ({ id: id!, name })));
  };
  const run = (entry: Entry) => {
    entry.state = "running";
    entry.problem = null;
    entry.upload = startUpload(entry.file, session, {
      progress: (sent) => {
        entry.sent = sent;
        publish();
      },
      done: (id) => {
        Object.assign(entry, { state: "done", sent: entry.bytes, id, upload: null });
        next();
      },
      refused: (problem) => {
        Object.assign(entry, { state: "refused", problem, upload: null });
        next();
      },
    });
  };
  const drop = (entry: Entry, takeBack: boolean) => {
    entry.upload?.stop(takeBack);
    entries.delete(entry.key);
  };

  return {
    files,
    paused,
    add(chosen) {
      for (const file of chosen.filter(({ name }) => !litter.test(name))) {
        const key = keyOf(file);
        if (!entries.has(key)) entries.set(key, waiting(key, file));
      }
      next();
    },
    pause() {
      paused.set(true);
      for (const entry of inState("running")) {
        entry.upload?.stop(false);
        Object.assign(entry, { state: "waiting", upload: null });
      }
      publish();
    },
    resume() {
      paused.set(false);
      next();
    },
    retry(key) {
      const entry = entries.get(key);
      if (entry?.state === "refused") Object.assign(entry, { state: "waiting", problem: null });
      next();
    },
    cancel(key) {
      const entry = entries.get(key);
      if (entry) drop(entry, true);
      next();
    },
    cancelAll() {
      for (const entry of entries.values()) if (entry.state !== "done") drop(entry, true);
      paused.set(false);
      next();
    },
    leave() {
      for (const entry of inState("running")) entry.upload?.stop(false);
      clearTimeout(timer);
    },
  };
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
