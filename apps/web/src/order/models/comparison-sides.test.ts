import { describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { compareSides, getInitialPair, matchModels } from "./comparison-sides.ts";
import { getRevisionStatus, findSuccessor } from "../detail/revision-status.ts";

const revision = (kind: "scheme" | "design", number: number, state: Order["revisions"][number]["state"]) => ({
  id: `${kind} ${number}`,
  kind,
  number,
  state,
  time: `2026-11-0${number}`,
  hash: "",
  text: null,
  who: "",
  decided: null,
  seen: false,
});
const file = (name: string, revisionId: string | null, role: "upperScan" | "design" = "design") => ({
  id: `${revisionId} ${name}`,
  role,
  name,
  bytes: 1,
  sha256: name,
  studyId: null,
  studyKind: null,
  revisionId,
  messageId: null,
  url: "/x",
  glb: null,
  thumbnailUrl: null,
  pictureUrl: null,
});
const order = {
  revisions: [
    revision("scheme", 1, "confirmed"),
    revision("design", 2, "returned"),
    revision("design", 3, "submitted"),
  ],
  files: [
    file("upper.stl", null, "upperScan"),
    file("plan.pdf", "scheme 1"),
    file("bar.stl", "design 2"),
    file("crown.stl", "design 2"),
    file("crown.stl", "design 3"),
  ],
};
const translate = (key: string) => key;
const sides = compareSides(order, translate);

describe("the comparison", () => {
  it("starts with the newest revision and the previous one of its kind", () => {
    expect(sides.map(({ id }) => id)).toEqual(["scans", "scheme 1", "design 2", "design 3"]);
    expect(getInitialPair(order, sides)).toEqual({ left: "design 2", right: "design 3" });
    expect(getInitialPair(order, sides.slice(0, 1))).toBeNull();
  });

  it("is coloured by the distance to the file of the same name, else to the first file", () => {
    const [scans, plan, before, now] = sides;
    expect(matchModels(before, now)).toEqual({ a: "design 3 crown.stl", b: "design 2 crown.stl" });
    expect(matchModels(scans, now)).toEqual({ a: "design 3 crown.stl", b: "null upper.stl" });
    expect(matchModels(plan, now)).toBeNull();
    expect(plan.documents.map(({ name }) => name)).toEqual(["plan.pdf"]);
  });
});

it("names the revision that replaced an old one", () => {
  const [plan, before, now] = order.revisions;
  expect([plan, before, now].map((one) => getRevisionStatus(order, one))).toEqual(["valid", "old", "waiting"]);
  expect(findSuccessor(order, before)).toBe(now);
});
