/** The browser's cache storage; absent if the page came over plain http from another machine. */
export const getPersistedFileStorage = (): CacheStorage | undefined => (globalThis as { caches?: CacheStorage }).caches;
export const persistedFileCacheName = "arcada.files";

/** The institution and the content hash, which are part of the address; null for files not made for viewing. */
export const getPersistedFileKey = (url: string): string | null =>
  /^\/files\/converted\/[^/]+\/[0-9a-f]{64}/.exec(url)?.[0] ?? null;
