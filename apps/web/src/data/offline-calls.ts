import { findAnswer, keepAnswer } from "../browser/offline-answers.ts";
import { createStore } from "../browser/external-store.ts";
import { setOfflineReader } from "./ask.ts";

/**
 * Calls whose last answers open without a network: who is signed in, the work of the day, the lists of patients and
 * orders, and the heads of their records. A test compares the paths with the contract.
 */
export const offlineCallPaths: readonly string[] = [
  "/v1/base/welcome",
  "/v1/user/getUserInfo",
  "/v1/user/myInstitutionList",
  "/v1/member/mine",
  "/v1/patient/list",
  "/v1/patient/detail",
  "/v1/patient/news",
  "/v1/order/list",
  "/v1/order/counts",
  "/v1/order/today",
  "/v1/workorder/planned",
  "/v1/workorder/list",
];

/** Calls among these whose age says nothing about what the page shows. */
export const backgroundPaths: readonly string[] = offlineCallPaths.slice(0, 4);

/** By the path of a call: when the kept answer that is shown now was given. */
export const shownOffline = createStore<ReadonlyMap<string, number>>(new Map());

/** Called once behind the sign-in: from then on answers are kept, and read where the server does not answer. */
export function startOfflineReading(): void {
  setOfflineReader({
    keeps: (path) => offlineCallPaths.includes(path),
    store(path, address, data, token) {
      if (shownOffline.get().has(path)) shownOffline.set((now) => new Map([...now].filter(([one]) => one !== path)));
      void keepAnswer(address, data, token).catch(() => {});
    },
    async find(path, address) {
      const kept = await findAnswer(address).catch(() => null);
      if (!kept) return null;
      shownOffline.set((now) => new Map(now).set(path, kept.savedAt));
      return { data: kept.data };
    },
  });
}
