import { constants } from "node:fs";
import { mkdir, open, readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { removeFile, syncFolder } from "../platform/storage/durable-writes.ts";
import { createFileWriter } from "../platform/upload/unfinished-upload-files.ts";
import type { UploadParts } from "../platform/upload/upload-parts.ts";

/** The file beside an object that contains Arcada's address of its upload in progress. */
export const uploadAddressFile = ({ path: file }: Pick<QueuedObject, "path">): string => `${file}.upload`;

/** An object that was acknowledged to a device. */
export interface QueuedObject {
  /** Its number in the order of arrival, and its UID: all that is known of it without opening it. */
  name: string;
  path: string;
  uid: string;
  bytes: number;
  arrivedAt: number;
}
export interface FailedObject extends QueuedObject {
  reason: string;
}

/**
 * Objects between a device and Arcada, in a folder of their own: `incoming` while they arrive, `queue` from before
 * their acknowledgement until Arcada has them, `failed` if Arcada does not accept them. The folder is the only state,
 * so that a kill at any moment loses nothing.
 */
export class SendQueue {
  readonly incoming: Pick<UploadParts, "open" | "remove">;
  readonly #folder: string;
  readonly #allowedBytes: number;
  readonly #waiting = new Map<string, QueuedObject>();
  readonly #failed = new Map<string, FailedObject>();
  /** Bytes of everything in the folder, including files that are arriving. */
  #used = 0;
  #next = 1;
  #arrived: () => void = () => {};

  static async opened(folder: string, allowedBytes: number): Promise<SendQueue> {
    const queue = new SendQueue(folder, allowedBytes);
    for (const name of ["incoming", "queue", "failed"])
      await mkdir(path.join(folder, name), { recursive: true, mode: 0o700 });
    await syncFolder(folder);
    // Not acknowledged, so their devices send them again.
    for (const name of await readdir(path.join(folder, "incoming")))
      await removeFile(path.join(folder, "incoming", name));
    await queue.#read();
    await queue.#clear();
    return queue;
  }
  private constructor(folder: string, allowedBytes: number) {
    this.#folder = folder;
    this.#allowedBytes = allowedBytes;
    const at = (id: string): string => path.join(folder, "incoming", id);
    this.incoming = {
      open: async (id) =>
        createFileWriter(await open(at(id), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)),
      remove: (id) => removeFile(at(id)),
    };
  }

  get usedBytes(): number {
    return this.#used;
  }
  get allowedBytes(): number {
    return this.#allowedBytes;
  }
  /** The waiting objects in the order of arrival. */
  get waiting(): readonly QueuedObject[] {
    return [...this.#waiting.values()];
  }
  get failed(): readonly FailedObject[] {
    return [...this.#failed.values()];
  }

  /** Returns false if no more fits. */
  reserve(bytes: number): boolean {
    if (this.#used + bytes > this.#allowedBytes) return false;
    this.#used += bytes;
    return true;
  }
  release(bytes: number): void {
    this.#used -= bytes;
  }

  /** Resolves when the object would survive a power failure. Its bytes are on the disk already, and reserved. */
  async take(id: string, uid: string, bytes: number): Promise<void> {
    const name = `${String(this.#next++).padStart(numberDigits, "0")}-${uid}.dcm`;
    const to = this.#at("queue", name);
    await rename(this.#at("incoming", id), to);
    await syncFolder(path.join(this.#folder, "queue"));
    this.#waiting.set(name, { name, path: to, uid, bytes, arrivedAt: Date.now() });
    this.#arrived();
  }

  /** Removes an object that Arcada has. */
  async sent({ name, path: file, bytes }: QueuedObject): Promise<void> {
    await removeFile(file);
    await removeFile(uploadAddressFile({ path: file }));
    if (this.#waiting.delete(name)) this.#used -= bytes;
  }

  /** Sets aside an object that Arcada does not accept: people must look at it. */
  async fail(one: QueuedObject, reason: string): Promise<void> {
    const to = this.#at("failed", `${one.name.split("-")[0]}-${one.uid}~${reason}.dcm`);
    await rename(one.path, to);
    await removeFile(uploadAddressFile(one));
    await syncFolder(path.join(this.#folder, "failed"));
    this.#waiting.delete(one.name);
    this.#failed.set(one.name, { ...one, path: to, reason });
  }

  /** Resolves when something waits. */
  arrival(): Promise<void> {
    if (this.#waiting.size > 0) return Promise.resolve();
    return new Promise((resolve) => (this.#arrived = resolve));
  }

  async #read(): Promise<void> {
    for (const kind of ["queue", "failed"] as const)
      for (const name of (await readdir(path.join(this.#folder, kind))).toSorted()) {
        const [, number, uid = "", reason = ""] = /^(\d+)-([0-9.]{1,64})(?:~(\w+))?\.dcm$/.exec(name) ?? [];
        if (number === undefined) continue;
        this.#next = Math.max(this.#next, Number(number) + 1);
        const { size: bytes, mtimeMs: arrivedAt } = await stat(this.#at(kind, name));
        const one = { name, path: this.#at(kind, name), uid, bytes, arrivedAt };
        this.#used += bytes;
        if (kind === "queue") this.#waiting.set(name, one);
        else this.#failed.set(name, { ...one, reason });
      }
  }
  /** Removes the upload addresses of deleted objects. */
  async #clear(): Promise<void> {
    const here = new Set(this.waiting.map((one) => path.basename(uploadAddressFile(one))));
    for (const name of await readdir(path.join(this.#folder, "queue")))
      if (/\.upload~?$/.test(name) && !here.has(name)) await removeFile(this.#at("queue", name));
  }
  #at(kind: "incoming" | "queue" | "failed", name: string): string {
    return path.join(this.#folder, kind, name);
  }
}

const numberDigits = 12;
