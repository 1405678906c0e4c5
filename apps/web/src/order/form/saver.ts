import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { send } from "../../kernel/ask.ts";
import { changed } from "../../kernel/changes.ts";
import { RefusedAnswer, fieldProblems } from "../../kernel/refused.ts";
import { show } from "../../kernel/show.ts";
import { createStore } from "../../kernel/store.ts";
import type { Store } from "../../kernel/store.ts";
import { uniqueKey } from "../../kernel/unique.ts";
import { draftOf, inputOf } from "./draft.ts";
import type { Draft } from "./draft.ts";

/** none: nothing typed yet; away: no answer, tried again; refused: the server said why; conflict: somebody else was faster. */
export type SavingState = "none" | "waiting" | "busy" | "done" | "away" | "refused" | "conflict" | "notDraft";
export interface SaverState {
  draft: Draft;
  /** The draft as the server knows it. */
  saved: Order | null;
  saving: SavingState;
  /** The other version, in a conflict. */
  theirs: Order | null;
  /** What the last refusal said, by field; "" for all. */
  problems: Record<string, string>;
}
export interface Saver {
  state: Store<SaverState>;
  change(change: Partial<Draft>): void;
  isDirty(): boolean;
  /** Writes what has changed. Answers whether everything is written. */
  save(): Promise<boolean>;
  /** Writes and sends; answers the order, or null with the reasons in `problems`. */
  send(): Promise<Order | null>;
  /** In a conflict: writes over the other version, or takes it in place of what was typed. */
  keepMine(): void;
  takeTheirs(): void;
  forget(): void;
}

const quiet = 1200;
const againAfter = 5000;

/**
 * Writes a draft a moment after the last change, one request at a time. A write that got no answer goes again under the
 * same key, so that a lost answer never makes a second order.
 */
export function createSaver(draft: Draft, order: Order | null, onCreated: (id: string) => void): Saver {
  const state = createStore<SaverState>({
    draft,
    saved: order,
    saving: order ? "done" : "none",
    theirs: null,
    problems: {},
  });
  const set = (change: Partial<SaverState>) => state.set((now) => ({ ...now, ...change }));
  let written = order ? draft : null;
  let base = order && { id: order.id, version: order.version };
  let intent: { text: string; key: string } | null = null;
  let running: Promise<Order | null> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isForgotten = false;

  const isDirty = () => !isForgotten && written !== state.get().draft && state.get().saving !== "none";
  const later = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), wait);
  };

  async function write(isSending: boolean): Promise<Order | null> {
    const writing = state.get().draft;
    const input = { ...inputOf(writing, base), send: isSending };
    const text = JSON.stringify(input);
    if (intent?.text !== text) intent = { text, key: uniqueKey() };
    set({ saving: "busy" });
    try {
      const answer = await send(orderCalls.save, input, { idempotencyKey: intent.key, timeout: 30_000 });
      intent = null;
      const isNew = base === null;
      base = { id: answer.id, version: answer.version };
      written = writing;
      set({ saved: answer, saving: isDirty() ? "waiting" : "done", problems: {}, theirs: null });
      changed(orderCalls.save);
      if (isNew && !isSending) onCreated(answer.id);
      return answer;
    } catch (error) {
      fail(error, isSending);
      return null;
    }
  }

  function fail(error: unknown, isSending: boolean): void {
    if (!(error instanceof RefusedAnswer)) {
      set({ saving: "away" });
      // A draft is written as soon as the server is there again; an order is sent only when a person presses again.
      if (isSending) show(error);
      return later(againAfter);
    }
    intent = null;
    if (error.name === "orderChanged") return set({ saving: "conflict", theirs: error.details as Order });
    if (error.name === "orderActionNotAllowed") return set({ saving: "notDraft", theirs: error.details as Order });
    const { draft: now, changed: isMarked } = markRefused(state.get().draft, error);
    set({ saving: "refused", problems: problemsOf(error), draft: now });
    if (isMarked) later(0);
    else if (isSending || error.show !== "form") show(error, "form");
  }

  async function save(): Promise<boolean> {
    clearTimeout(timer);
    while (running) await running;
    const { saving, draft: now } = state.get();
    if (!isDirty() || now.patientId === "" || saving === "conflict" || saving === "notDraft") return !isDirty();
    running = write(false).finally(() => (running = null));
    const answer = await running;
    if (answer && isDirty()) later(quiet);
    return answer !== null && !isDirty();
  }

  return {
    state,
    isDirty,
    save,
    change(change) {
      const blocked = ["conflict", "notDraft"].includes(state.get().saving);
      set({ draft: { ...state.get().draft, ...change }, ...(!blocked && { saving: "waiting" }) });
      later(quiet);
    },
    async send() {
      clearTimeout(timer);
      while (running) await running;
      running = write(true).finally(() => (running = null));
      return running;
    },
    keepMine() {
      const { theirs } = state.get();
      if (!theirs) return;
      base = { id: theirs.id, version: theirs.version };
      set({ saving: "waiting", theirs: null });
      void save();
    },
    takeTheirs() {
      const { theirs } = state.get();
      if (!theirs) return;
      base = { id: theirs.id, version: theirs.version };
      written = draftOf(theirs);
      set({ draft: written, saved: theirs, saving: "done", theirs: null, problems: {} });
    },
    forget() {
      isForgotten = true;
      clearTimeout(timer);
    },
  };
}

/** A file that the server did not take is marked and stays out from now on; one without a name: all that were not taken yet. */
function markRefused(draft: Draft, error: RefusedAnswer): { draft: Draft; changed: boolean } {
  const isOfFiles = /^(file|upload|zip|quota)/.test(error.name);
  const { name } = (error.details ?? {}) as { name?: unknown };
  const hits = (file: Draft["uploads"][number]) =>
    !file.refused && (typeof name === "string" ? file.name === name : true);
  if (!isOfFiles || !draft.uploads.some(hits)) return { draft, changed: false };
  const uploads = draft.uploads.map((file) => (hits(file) ? { ...file, refused: error.msg } : file));
  return { draft: { ...draft, uploads }, changed: true };
}

const fieldOf: Partial<Record<RefusedAnswer["name"], string>> = {
  orderNoRelation: "targetIid",
  institutionUnknown: "targetIid",
  orderFileForeign: "files",
};
function problemsOf(error: RefusedAnswer): Record<string, string> {
  const field = fieldOf[error.name];
  if (field) return { [field]: error.msg };
  const { missing } = (error.details ?? {}) as { missing?: unknown };
  if (Array.isArray(missing)) return { "": error.msg };
  return { "": error.msg, ...fieldProblems(error) };
}
