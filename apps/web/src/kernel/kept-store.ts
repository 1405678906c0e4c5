/** The browser's own store; absent where the page came over plain http from another machine. */
export const keptStorage = (): CacheStorage | undefined => (globalThis as { caches?: CacheStorage }).caches;
export const keptStoreName = "arcada.files";

/** The organisation and the content's hash, which stand in the address; null for what is not made for viewing. */
export const keptKeyOf = (url: string): string | null =>
  /^\/files\/converted\/[^/]+\/[0-9a-f]{64}/.exec(url)?.[0] ?? null;
