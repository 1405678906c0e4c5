import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import { send } from "../../data/ask.ts";
import { NoResponseError, RefusalError } from "../../data/call-errors.ts";
import { createEmptyDraft } from "./order-draft.ts";
import { DraftSaver } from "./draft-saver.ts";

vi.mock("../../data/ask.ts", () => ({ send: vi.fn<typeof send>() }));
vi.mock("../../data/show-error.ts", () => ({ showError: vi.fn<() => void>() }));

const server = vi.mocked(send);
const answer = (version: number, change: Partial<Order> = {}) =>
  ({ id: "o", version, files: [], prescription: {}, ...change }) as unknown as Order;
const refuse = (name: RefusalName, details: unknown = null) =>
  new RefusalError({ code: refusals[name].code, status: refusals[name].status, msg: name, details, requestId: null });
const asked = (at: number) => ({
  input: server.mock.calls[at]?.[1] as Record<string, unknown>,
  key: server.mock.calls[at]?.[2]?.idempotencyKey,
});
const createSaver = (onCreated = (_: string) => {}) => new DraftSaver(createEmptyDraft("p"), null, onCreated);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  server.mockReset();
});

describe("an automatically saved draft", () => {
  it("is saved once, a moment after the last change, and from then on with its version", async () => {
    server.mockResolvedValueOnce(answer(1)).mockResolvedValueOnce(answer(2));
    const made = vi.fn<(id: string) => void>();
    const saver = createSaver(made);
    saver.change({ instructions: "a" });
    saver.change({ instructions: "ab" });
    await vi.advanceTimersByTimeAsync(1500);
    saver.change({ instructions: "abc" });
    await vi.advanceTimersByTimeAsync(1500);
    expect(made.mock.calls).toEqual([["o"]]);
    expect(server).toHaveBeenCalledTimes(2);
    expect(asked(0).input).toMatchObject({ instructions: "ab", send: false });
    expect(asked(1).input).toMatchObject({ id: "o", version: 1, instructions: "abc" });
    expect(saver.state.get().saving).toBe("done");
  });

  it("is not saved without a patient", async () => {
    const saver = new DraftSaver(createEmptyDraft(""), null, () => {});
    saver.change({ instructions: "a" });
    await vi.advanceTimersByTimeAsync(5000);
    expect(server).not.toHaveBeenCalled();
    expect(saver.isDirty()).toBe(true);
  });

  it("is sent again with the same key if no response arrived, so that no second draft is created", async () => {
    server.mockRejectedValueOnce(new NoResponseError(true, null)).mockResolvedValueOnce(answer(1));
    const saver = createSaver();
    saver.change({ instructions: "a" });
    await vi.advanceTimersByTimeAsync(1500);
    expect(saver.state.get().saving).toBe("away");
    await vi.advanceTimersByTimeAsync(6000);
    expect(asked(1).key).toBe(asked(0).key);
    expect(saver.state.get().saving).toBe("done");
  });

  it("keeps what was typed when another user saved first, and overwrites only on request", async () => {
    server.mockRejectedValueOnce(refuse("orderChanged", answer(7))).mockResolvedValueOnce(answer(8));
    const saver = createSaver();
    saver.change({ instructions: "mine" });
    await vi.advanceTimersByTimeAsync(1500);
    saver.change({ instructions: "mine too" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server).toHaveBeenCalledTimes(1);
    expect(saver.state.get()).toMatchObject({ saving: "conflict", draft: { instructions: "mine too" } });
    saver.keepMine();
    await vi.advanceTimersByTimeAsync(100);
    expect(asked(1).input).toMatchObject({ version: 7, instructions: "mine too" });
  });

  it("omits a file that the server refused, shows the reason beside it, and saves the rest", async () => {
    server.mockRejectedValueOnce(refuse("fileUnknown", { name: "b.stl" })).mockResolvedValueOnce(answer(1));
    const saver = createSaver();
    const files = ["a", "b"].map((name) => ({ upload: name, role: "upperScan" as const, name: `${name}.stl` }));
    saver.change({ uploads: files });
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked(1).input["uploads"]).toEqual([{ upload: "a", role: "upperScan" }]);
    expect(saver.state.get().draft.uploads[1]).toMatchObject({ name: "b.stl", refused: "fileUnknown" });
  });
});

describe("sending", () => {
  it("waits for a save in progress and sends that version", async () => {
    let finish = (_: Order) => {};
    server.mockReturnValueOnce(new Promise((resolve) => (finish = resolve))).mockResolvedValueOnce(answer(2));
    const saver = createSaver();
    saver.change({ instructions: "a" });
    await vi.advanceTimersByTimeAsync(1500);
    const sent = saver.send();
    finish(answer(1));
    expect(await sent).toMatchObject({ version: 2 });
    expect(asked(1).input).toMatchObject({ id: "o", version: 1, send: true });
  });

  it("shows beside the laboratory that there is no relationship, and never resends by itself", async () => {
    server.mockResolvedValueOnce(answer(1)).mockRejectedValueOnce(refuse("orderNoRelation"));
    server.mockRejectedValueOnce(new NoResponseError(false, null)).mockResolvedValueOnce(answer(2));
    const saver = createSaver();
    saver.change({ instructions: "a" });
    expect(await saver.send()).toBeNull();
    expect(saver.state.get().problems).toEqual({ targetIid: "orderNoRelation" });
    await saver.send();
    const lost = asked(2).key;
    await vi.advanceTimersByTimeAsync(20_000);
    const sendings = server.mock.calls.map(([, input]) => input as { id?: string; send: boolean });
    expect(sendings.map(({ send: isSending }) => isSending)).toEqual([false, true, true]);
    expect(sendings.slice(1).every(({ id }) => id === "o")).toBe(true);
    expect(await saver.send()).toMatchObject({ version: 2 });
    expect(asked(3).key).toBe(lost);
  });
});
