import { expect, it } from "vitest";
import { orderStates } from "./order.lifecycle.ts";
import { mayDownloadOriginal, receiverRights, sharingEnd } from "./receiver-rights.ts";

const states = (holds: (state: (typeof orderStates)[number]) => boolean) => orderStates.filter(holds);

it("shows a receiver nothing before the hand-over and only the header once an order was cancelled or refused", () => {
  expect(states((state) => receiverRights[state].reads === "nothing")).toEqual(["draft", "awaiting_sending"]);
  expect(states((state) => receiverRights[state].reads === "header")).toEqual(["cancelled", "refused"]);
});

it("gives originals only to a receiver who reads the order, and not the volumes before it accepts", () => {
  expect(
    states((state) => receiverRights[state].downloads !== "none" && receiverRights[state].reads !== "all"),
  ).toEqual([]);
  expect(states((state) => receiverRights[state].downloads === "plain")).toEqual(["pending"]);
  expect(states((state) => receiverRights[state].downloads === "forTime")).toEqual(["completed"]);
});

it("opens the chat from the hand-over to the end and keeps it readable afterwards", () => {
  expect(states((state) => receiverRights[state].chat === "closed")).toEqual(["draft", "awaiting_sending"]);
  expect(states((state) => receiverRights[state].chat === "readOnly")).toEqual(["cancelled", "refused"]);
  expect(states((state) => receiverRights[state].chat === "forTime")).toEqual(["completed"]);
});

it("lets links show an order from the hand-over to 14 days after its completion, also while it is being forwarded", () => {
  const isShared = (state: (typeof orderStates)[number], holder: "sender" | "receiver") =>
    sharingEnd({ state, holder, completedAt: null }) !== null;
  expect(states((state) => !isShared(state, "sender"))).toEqual(["draft", "awaiting_sending", "cancelled", "refused"]);
  expect(states((state) => !isShared(state, "receiver"))).toEqual(["draft", "cancelled", "refused"]);
  const completed = { state: "completed", holder: "sender", completedAt: "2026-01-31T10:00:00.000Z" } as const;
  expect(sharingEnd(completed)?.toISOString()).toBe("2026-02-14T10:00:00.000Z");
});

it("lets the receiver take originals for twelve months after the completion", () => {
  const completed = { state: "completed", holder: "sender", completedAt: "2026-01-31T10:00:00.000Z" } as const;
  const may = (now: string) => mayDownloadOriginal(completed, { dicom: true }, new Date(now));
  expect([may("2027-01-31T09:59:59.000Z"), may("2027-01-31T10:00:00.000Z")]).toEqual([true, false]);
});
