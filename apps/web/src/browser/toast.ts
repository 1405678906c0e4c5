import { createStore } from "./external-store.ts";

export interface Toast {
  id: number;
  kind: "error" | "success" | "info";
  text: string;
  requestId?: string | null;
}
export const toastSeconds = 5;
export const toasts = createStore<Toast[]>([]);

let lastId = 0;

/** Shows a message for five seconds. The same message is not shown twice at once. */
export function toast(kind: Toast["kind"], text: string, requestId?: string | null): void {
  if (toasts.get().some((shown) => shown.kind === kind && shown.text === text)) return;
  const id = ++lastId;
  toasts.set((shown) => [...shown.slice(-3), { id, kind, text, requestId: requestId ?? null }]);
}

export const closeToast = (id: number): void => toasts.set((shown) => shown.filter((one) => one.id !== id));
