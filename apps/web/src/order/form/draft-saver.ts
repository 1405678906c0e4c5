import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { send } from "../../data/ask.ts";
import { notifyCommandSuccess } from "../../data/command-success-and-ended-records.ts";
import { RefusalError, readFieldProblems } from "../../data/call-errors.ts";
import { showError } from "../../data/show-error.ts";
import { createStore } from "../../browser/external-store.ts";
import { createUniqueKey } from "../../browser/unique-id.ts";
import { toDraft, toSaveInput } from "./order-draft.ts";
import type { Draft, DraftFile } from "./order-draft.ts";

/**
 * none: nothing typed yet; away: no answer, retrying; refused: rejected by the server with a reason; conflict: another
 * user saved first.
 */
type SavingState = "none" | "waiting" | "busy" | "done" | "away" | "refused" | "conflict" | "notDraft";
export interface DraftSaverState {
  draft: Draft;
  /** The order as the server knows it. */
  saved: Order | null;
  saving: SavingState;
  /** The other version, in a conflict. */
  theirs: Order | null;
  /** The messages of the last rejection by field; "" for the whole form. */
  problems: Record<string, string>;
}

const saveDelayMs = 1200;
const retryDelayMs = 5000;

/**
 * Saves a draft a moment after the last change, one request at a time. A request without an answer is repeated with the
 * same idempotency key, so that a lost answer never creates a second order.
 */
export class DraftSaver {
  readonly state;
  readonly #onCreated: (id: string) => void;
  /** The draft as the server has it, or null before the first write. */
  #written: Draft | null;
  #base: { id: string; version: number } | null;
  #intent: { text: string; key: string } | null = null;
  #running: Promise<Order | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isForgotten = false;

  constructor(draft: Draft, order: Order | null, onCreated: (id: string) => void) {
    const saving: SavingState = order ? "done" : "none";
    this.state = createStore<DraftSaverState>({ draft, saved: order, saving, theirs: null, problems: {} });
    this.#written = order ? draft : null;
    this.#base = order;
    this.#onCreated = onCreated;
  }

  change(change: Partial<Draft>): void {
    this.#set({ draft: { ...this.#now.draft, ...change }, ...(!this.#isBlocked() && { saving: "waiting" }) });
    this.#later(saveDelayMs);
  }

  isDirty(): boolean {
    return !this.#isForgotten && this.#now.saving !== "none" && this.#written !== this.#now.draft;
  }

  /** Saves the changes. */
  async save(): Promise<void> {
    await this.#idle();
    if (!this.isDirty() || this.#isBlocked() || this.#now.draft.patientId === "") return;
    const answer = await this.#begin(false);
    if (answer && this.isDirty()) this.#later(saveDelayMs);
  }

  /** Saves and sends. Returns the order, or null with the reasons in `problems`. */
  async send(): Promise<Order | null> {
    await this.#idle();
    // The order must have an id before it is sent; otherwise a lost answer would create it twice.
    if (this.#base === null && !(await this.#begin(false))) return null;
    return this.#begin(true);
  }

  /** In a conflict: overwrites the other version. */
  keepMine(): void {
    this.#base = this.#now.theirs;
    this.#set({ saving: "waiting", theirs: null });
    void this.save();
  }

  /** In a conflict: replaces the input by the other version. */
  takeTheirs(): void {
    const { theirs } = this.#now;
    if (!theirs) return;
    this.#base = theirs;
    this.#written = toDraft(theirs);
    this.#set({ draft: this.#written, saved: theirs, saving: "done", theirs: null, problems: {} });
  }

  /** Stops saving: the draft was sent or deleted. */
  forget(): void {
    this.#isForgotten = true;
    clearTimeout(this.#timer);
  }

  get #now(): DraftSaverState {
    return this.state.get();
  }
  #set(change: Partial<DraftSaverState>): void {
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
    const input = { ...toSaveInput(writing, this.#base), send: isSending };
    const text = JSON.stringify(input);
    if (this.#intent?.text !== text) this.#intent = { text, key: createUniqueKey() };
    this.#set({ saving: "busy" });
    try {
      const answer = await send(orderCalls.save, input, { idempotencyKey: this.#intent.key, timeout: 30_000 });
      const isNew = this.#base === null;
      this.#intent = null;
      this.#base = answer;
      this.#written = writing;
      this.#set({ saved: answer, saving: this.isDirty() ? "waiting" : "done", problems: {}, theirs: null });
      notifyCommandSuccess(orderCalls.save);
      if (isNew && !isSending) this.#onCreated(answer.id);
      return answer;
    } catch (error) {
      this.#fail(error, isSending);
      return null;
    }
  }

  #fail(error: unknown, isSending: boolean): void {
    if (!(error instanceof RefusalError)) {
      this.#set({ saving: this.isDirty() ? "away" : "done" });
      // A draft is saved as soon as the server is available again. An order is sent only if the user presses again.
      if (isSending) showError(error);
      return this.#later(retryDelayMs);
    }
    this.#intent = null;
    if (error.name === "orderChanged") return this.#set({ saving: "conflict", theirs: error.details as Order });
    if (error.name === "orderActionNotAllowed")
      return this.#set({ saving: "notDraft", theirs: error.details as Order });
    const marked = markRefused(this.#now.draft, error);
    this.#set({ saving: "refused", problems: getProblemsByField(error), ...(marked && { draft: marked }) });
    if (marked) this.#later(0);
    else if (isSending || error.show !== "form") showError(error, "form");
  }
}

/**
 * Returns the draft with the rejected files marked, which are not sent again; null if the rejection concerns something
 * else. A rejection without a name applies to all files that were not rejected yet.
 */
function markRefused(draft: Draft, error: RefusalError): Draft | null {
  if (!/^(file|upload|zip|quota)/.test(error.name)) return null;
  const { name } = (error.details ?? {}) as { name?: unknown };
  const isAffected = (file: DraftFile) => !file.refused && (typeof name !== "string" || file.name === name);
  if (!draft.uploads.some(isAffected)) return null;
  return {
    ...draft,
    uploads: draft.uploads.map((file) => (isAffected(file) ? { ...file, refused: error.msg } : file)),
  };
}

const fieldByRefusal: Partial<Record<RefusalError["name"], string>> = {
  orderNoRelation: "targetIid",
  institutionUnknown: "targetIid",
  orderFileForeign: "files",
};

/** Returns the error messages by field; the key "" is used for a message that belongs to no single field. */
function getProblemsByField(error: RefusalError): Record<string, string> {
  const field = fieldByRefusal[error.name];
  if (field) return { [field]: error.msg };
  return { "": error.msg, ...(error.name === "badInput" && readFieldProblems(error)) };
}
