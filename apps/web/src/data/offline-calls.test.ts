import { expect, it, vi } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import { fakeBrowser } from "../browser/fake-browser.ts";

fakeBrowser();
vi.stubGlobal("addEventListener", () => {});
const { backgroundPaths, offlineCallPaths } = await import("./offline-calls.ts");

it("names reading calls of the contract only", () => {
  const reading = everyCall().flatMap(({ row }) => (row.method === "GET" ? [row.path] : []));
  expect(offlineCallPaths.filter((path) => !reading.includes(path as never))).toEqual([]);
});

it("tells the age of everything but the calls about the reader", () => {
  expect(offlineCallPaths.filter((path) => !backgroundPaths.includes(path))).toEqual(
    expect.arrayContaining(["/v1/patient/list", "/v1/patient/detail", "/v1/order/list", "/v1/order/today"]),
  );
});
