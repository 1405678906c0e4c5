import { beforeEach, expect, it, vi } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { fakeBrowser } from "../browser/fake-browser.ts";

beforeEach(() => {
  vi.resetModules();
  fakeBrowser([], "https://arcada.example/patientDetail/page?id=7");
});

it("keeps what went wrong with its place, without what the address asks for, and counts what repeats", async () => {
  const { errorLog, logError } = await import("./error-log.ts");
  const error = new TypeError("x is not a function");
  error.stack = "TypeError\n    at https://arcada.example/assets/a.js?id=7:1:2";
  logError(error);
  logError(error);
  logError("plain words");
  expect(errorLog.get()).toMatchObject([
    { message: "TypeError: x is not a function", path: "/patientDetail/page", times: 2 },
    { message: "plain words", stack: null, times: 1 },
  ]);
  expect(JSON.stringify(errorLog.get())).not.toContain("id=7");
});
it("keeps fifty at most", async () => {
  const { errorLog, logError } = await import("./error-log.ts");
  for (let at = 0; at < 60; at++) logError(`error ${at}`);
  expect(errorLog.get()).toHaveLength(50);
  expect(errorLog.get().at(-1)?.message).toBe("error 59");
});
it("does not count a missing network or a refusal among the page's errors", async () => {
  const { errorLog, logError } = await import("./error-log.ts");
  const refused = await import("../data/call-errors.ts");
  logError(new refused.NoResponseError(false, null));
  logError(
    new refused.RefusalError({ code: refusals.notFound.code, status: 404, msg: "", details: null, requestId: null }),
  );
  expect(errorLog.get()).toEqual([]);
});
