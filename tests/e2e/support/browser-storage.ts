import type { Page } from "playwright-core";

/** The number of encrypted answers that the browser keeps for reading without a network; 0 without the database. */
export const countKeptAnswers = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === "arcada.offline")) return 0;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("arcada.offline");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    try {
      if (!database.objectStoreNames.contains("answers")) return 0;
      const request = database.transaction("answers").objectStore("answers").count();
      return await new Promise<number>((resolve) => (request.onsuccess = () => resolve(request.result)));
    } finally {
      database.close();
    }
  });

/** Everything that a page of the product can find in its browser, as text, and the addresses in its caches. */
export const readBrowserStorage = (page: Page): Promise<{ text: string; cachedAddresses: string[] }> =>
  page.evaluate(async () => {
    const parts: string[] = [JSON.stringify([{ ...localStorage }, { ...sessionStorage }]), document.cookie];
    const cachedAddresses: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        cachedAddresses.push(new URL(request.url).pathname);
        if (new URL(request.url).pathname === "/") parts.push((await (await cache.match(request))?.text()) ?? "");
      }
    }
    const decode = (value: unknown): string => {
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
        return new TextDecoder().decode(value as ArrayBuffer);
      if (typeof value === "object" && value !== null) return Object.values(value).map(decode).join("\n");
      return String(value);
    };
    for (const { name } of await indexedDB.databases()) {
      if (!name) continue;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        parts.push(decode(await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)))));
      }
      database.close();
    }
    return { text: parts.join("\n"), cachedAddresses };
  });
