import { expect, it } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";

it("measures the line by 381,909 bytes that nobody keeps or makes smaller", async () => {
  const answer = await fetch(`${(await getTestServer()).address}/v1/base/speedProbe`);
  expect((await answer.arrayBuffer()).byteLength).toBe(381_909);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  expect(answer.headers.get("content-encoding")).toBeNull();
});
