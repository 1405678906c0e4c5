import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { send } from "../../kernel/ask.ts";
import { changed } from "../../kernel/changes.ts";
import { RefusedAnswer } from "../../kernel/refused.ts";
import { show } from "../../kernel/show.ts";
import { createStore } from "../../kernel/store.ts";
import { uniqueKey } from "../../kernel/unique.ts";
import { draftOf, inputOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { markRefused, problemsOf } from "./saver-problems.ts";

/** none: nothing typed yet; away: no answer, tried again; refused: the server said why; conflict: somebody else was faster. */
type SavingState = "none" | "waiting" | "busy" | "done" | "away" | "refused" | "conflict" | "notDraft";
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

const quiet = 1200;
const againAfter = 5000;

/**
 * Writes a draft a moment after the last change, one request at a time. A write that got no answer goes again under the
 * same key, so that a lost answer never makes a second order.
 */
export class Saver {
  readonly state;
  readonly #onCreated: (id: string) => void;
  /** What the server has, or null before the first write. */
  #written: Draft | null;
  #base: { id: string; version: number } | null;
  #intent: { text: string; key: string } | null = null;
  #running: Promise<Order | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isForgotten = false;

  constructor(draft: Draft, order: Order | null, onCreated: (id: string) => void) {
    const saving: SavingState = order ? "done" : "none";
    this.state = createStore<SaverState>({ draft, saved: order, saving, theirs: null, problems: {} });
    this.#written = order ? draft : null;
    this.#base = order;
    this.#onCreated = onCreated;
  }

  change(change: Partial<Draft>): void {
    this.#set({ draft: { ...this.#now.draft, ...change }, ...(!this.#isBlocked() && { saving: "waiting" }) });
    this.#later(quiet);
  }

  isDirty(): boolean {
    return !this.#isForgotten && this.#now.saving !== "none" && this.#written !== this.#now.draft;
  }

  /** Writes what has changed. */
  async save(): Promise<void> {
    await this.#idle();
    if (!this.isDirty() || this.#isBlocked() || this.#now.draft.patientId === "") return;
    const answer = await this.#begin(false);
    if (answer && this.isDirty()) this.#later(quiet);
  }

  /** Writes and sends; answers the order, or null with the reasons in `problems`. */
  async send(): Promise<Order | null> {
    await this.#idle();
    // Should the answer to a sending be lost, the order must have a name already, or it would be made twice.
    if (this.#base === null && !(await this.#begin(false))) return null;
    return this.#begin(true);
  }

  /** In a conflict: writes over the other version. */
  keepMine(): void {
    this.#base = this.#now.theirs;
    this.#set({ saving: "waiting", theirs: null });
    void this.save();
  }

  /** In a conflict: takes the other version in place of what was typed. */
  takeTheirs(): void {
    const { theirs } = this.#now;
    if (!theirs) return;
    this.#base = theirs;
    this.#written = draftOf(theirs);
    this.#set({ draft: this.#written, saved: theirs, saving: "done", theirs: null, problems: {} });
  }

  /** Nothing is written any more: the draft was sent or deleted. */
  forget(): void {
    this.#isForgotten = true;
    clearTimeout(this.#timer);
  }

  get #now(): SaverState {
    return this.state.get();
  }
  #set(change: Partial<SaverState>): void {
    this.state.set((now) => ({ ...now, ...change }));
  }
  #isBlocked(): boolean {
    return this.#now.saving === "conflict" || this.#now.saving === "notDraft";
  }
  #later(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), wait);
  }
  async #idle(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
  }
  #begin(isSending: boolean): Promise<Order | null> {
    this.#running = this.#write(isSending).finally(() => (this.#running = null));
    return this.#running;
  }

  async #write(isSending: boolean): Promise<Order | null> {
    const writing = this.#now.draft;
    const input = { ...inputOf(writing, this.#base), send: isSending };
    const text = JSON.stringify(input);
    if (this.#intent?.text !== text) this.#intent = { text, key: uniqueKey() };
    this.#set({ saving: "busy" });
    try {
      const answer = await send(orderCalls.save, input, { idempotencyKey: this.#intent.key, timeout: 30_000 });
      const isNew = this.#base === null;
      this.#intent = null;
      this.#base = answer;
      this.#written = writing;
      this.#set({ saved: answer, saving: this.isDirty() ? "waiting" : "done", problems: {}, theirs: null });
      changed(orderCalls.save);
      if (isNew && !isSending) this.#onCreated(answer.id);
      return answer;
    } catch (error) {
      this.#fail(error, isSending);
      return null;
    }
  }

  #fail(error: unknown, isSending: boolean): void {
    if (!(error instanceof RefusedAnswer)) {
      this.#set({ saving: this.isDirty() ? "away" : "done" });
      // A draft is written as soon as the server is there again; an order is sent only when a person presses again.
      if (isSending) show(error);
      return this.#later(againAfter);
    }
    this.#intent = null;
    if (error.name === "orderChanged") return this.#set({ saving: "conflict", theirs: error.details as Order });
    if (error.name === "orderActionNotAllowed")
      return this.#set({ saving: "notDraft", theirs: error.details as Order });
    const marked = markRefused(this.#now.draft, error);
    this.#set({ saving: "refused", problems: problemsOf(error), ...(marked && { draft: marked }) });
    if (marked) this.#later(0);
    else if (isSending || error.show !== "form") show(error, "form");
  }
}
