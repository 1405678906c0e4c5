import { offlineDatabaseName } from "./offline-database.ts";
import { createOfflineKeys, openOfflineKeys } from "./offline-keys.ts";
import type { KeyRecord, OfflineKeys } from "./offline-keys.ts";
import { isLocked } from "./session-lock.ts";
import { isOfSameSession, readToken } from "./session-token.ts";

/** `hours`: older answers are not shown. The sizes are those of the encrypted bytes. */
export const offlineRules = { hours: 12, maxEntries: 80, maxEntryBytes: 400_000, maxBytes: 4_000_000 } as const;

export interface KeptAnswer {
  data: unknown;
  /** The time of the server's answer, in milliseconds. */
  savedAt: number;
}
interface Entry {
  /** A keyed hash of the address: it contains ids and search terms. */
  id: string;
  savedAt: number;
  iv: Uint8Array<ArrayBuffer>;
  bytes: ArrayBuffer;
}

/**
 * Keeps an answer for reading without a network. It is encrypted with a key that only the token of this session opens,
 * and is deleted at sign-out, at the end of the session, at the lock and at a change of role or organisation.
 */
export async function keepAnswer(address: string, data: unknown, asked: string): Promise<void> {
  const token = readToken();
  // The answer of a session that is over must not be kept for the next one.
  if (!token || !isOfSameSession(asked, token)) return;
  const store = await openStore();
  if (!store || store.token !== token) return;
  const bytes = new TextEncoder().encode(JSON.stringify({ data }));
  if (bytes.byteLength > offlineRules.maxEntryBytes) return;
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const entry: Entry = {
    id: await store.keys.hash(address),
    savedAt: Date.now(),
    iv,
    bytes: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, store.keys.cipher, bytes),
  };
  // The session may have ended or been locked while the answer was encrypted.
  if (isLocked() || readToken() === undefined || opened !== store) return;
  await run(store.database, "readwrite", (answers) => answers.put(entry));
  await trim(store.database);
}

/** The answer that was kept for an address; null if there is none, or it is too old. */
export async function findAnswer(address: string): Promise<KeptAnswer | null> {
  const store = await openStore();
  if (!store || isLocked()) return null;
  const id = await store.keys.hash(address);
  const entry = await run<Entry | undefined>(store.database, "readonly", (answers) => answers.get(id));
  if (!entry || Date.now() - entry.savedAt > offlineRules.hours * 3_600_000) return null;
  const bytes = await crypto.subtle.decrypt({ name: "AES-GCM", iv: entry.iv }, store.keys.cipher, entry.bytes);
  const { data } = JSON.parse(new TextDecoder().decode(bytes)) as { data: unknown };
  return { data, savedAt: entry.savedAt };
}

interface OpenedStore {
  database: IDBDatabase;
  keys: OfflineKeys;
  token: string;
}
let opened: OpenedStore | null = null;
let openingStore: Promise<OpenedStore | null> | null = null;

/** Null if this browser keeps nothing: no session, no encryption (plain http from another machine), no storage. */
async function openStore(): Promise<OpenedStore | null> {
  const token = readToken();
  if (!token || isLocked() || typeof indexedDB === "undefined" || !(crypto as Partial<Crypto>).subtle) return null;
  if (opened?.token === token) return opened;
  // Another session has begun, in this tab or in another one: its key opens nothing of the former.
  const former = opened && isOfSameSession(opened.token, token) ? opened : null;
  openingStore ??= openWith(token, former)
    .catch(() => null)
    .finally(() => (openingStore = null));
  return openingStore;
}

async function openWith(token: string, before: OpenedStore | null): Promise<OpenedStore> {
  const database = before?.database ?? (await openDatabase());
  const known = await run<KeyRecord | undefined>(database, "readonly", (keys) => keys.get("key"), "keys");
  let keys = known ? await openOfflineKeys(token, known) : null;
  if (!keys) {
    // The token was renewed: the same content opens with the new one. Otherwise it belongs to a session that is over.
    if (!before) await run(database, "readwrite", (answers) => answers.clear());
    const created = await createOfflineKeys(token, before?.keys.secret);
    await run(database, "readwrite", (store) => store.put(created.record, "key"), "keys");
    keys = created.keys;
  }
  opened = { database, keys, token };
  return opened;
}

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(offlineDatabaseName, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("keys");
      request.result.createObjectStore("answers", { keyPath: "id" }).createIndex("savedAt", "savedAt");
    };
    request.onsuccess = () => {
      const database = request.result;
      // Another tab, or this one, deletes everything: the session has ended.
      database.onversionchange = () => {
        database.close();
        opened = null;
      };
      database.onclose = () => void (opened = null);
      resolve(database);
    };
    request.onerror = () => reject(request.error ?? new Error("the storage is refused"));
    request.onblocked = () => reject(new Error("the storage is being deleted"));
  });

function run<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
  name: "answers" | "keys" = "answers",
): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result as T);
    transaction.onabort = () => reject(transaction.error ?? new Error("the storage is full"));
  });
}

/** Removes the oldest entries above the limits, and those that are too old to be shown. */
async function trim(database: IDBDatabase): Promise<void> {
  const entries = await run<Entry[]>(database, "readonly", (answers) => answers.index("savedAt").getAll());
  const sizes = entries.map(({ bytes }) => bytes.byteLength);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const [at, { id, savedAt }] of entries.entries()) {
    const isOld = Date.now() - savedAt > offlineRules.hours * 3_600_000;
    if (!isOld && total <= offlineRules.maxBytes && entries.length - at <= offlineRules.maxEntries) return;
    total -= sizes[at]!;
    await run(database, "readwrite", (answers) => answers.delete(id));
  }
}
