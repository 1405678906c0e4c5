import { beforeAll, expect, it, vi } from "vitest";
import { type TestServer, getTestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

let env: TestServer;
beforeAll(async () => {
  env = await getTestServer();
});

/** Returns the topics that a user's open page is notified of, one after another. */
async function opens(who: AnyTestUser, signal: AbortSignal): Promise<string[]> {
  const topics: string[] = [];
  const response = await fetch(`${env.address}/v1/notice/stream`, { headers: { token: who.token }, signal });
  const read = async () => {
    for await (const text of present(response.body, "body").pipeThrough(new TextDecoderStream()))
      topics.push(...[...text.matchAll(/"topic":"(\w+)"/g)].map(([, topic]) => topic));
  };
  read().catch(() => {});
  return topics;
}

it("an action of an after-sales user is notified to the open tabs of the other after-sales users, and to no clinic's", async () => {
  const going = new AbortController();
  const [chief, colleague, clinic] = [
    await env.createUser("afterSalesAdmin"),
    await env.createUser("afterSalesMember"),
    await env.createUser("clinicAdmin"),
  ];
  const [heard, elsewhere] = [await opens(colleague, going.signal), await opens(clinic, going.signal)];
  const last = () => heard.at(-1);
  const made = await chief.call("clinic.create", { name: "Harbour Lane", country: "GB" });
  await vi.waitFor(() => expect(last()).toBe("clinic"), { timeout: 8000 });
  const device = { product: "Aurora CBCT", serialNumber: "AU-1", model: "A1" };
  const registered = await chief.call("device.register", device);
  await vi.waitFor(() => expect(last()).toBe("device"), { timeout: 8000 });
  await chief.call("clinic.bindDevice", { id: made.id, deviceId: registered.device.id });
  await vi.waitFor(() => expect(last()).toBe("clinic"), { timeout: 8000 });
  const detectors = { ctDetectorType: "", ctDetectorSerial: "", lateralDetectorType: "", lateralDetectorSerial: "" };
  await chief.call("feedback.create", {
    ...detectors,
    product: device.product,
    model: device.model,
    softwareVersion: "2.4.0",
    deviceAddress: "",
    page: "scan",
    description: "It stops half way",
  });
  await vi.waitFor(() => expect(heard).toContain("feedback"), { timeout: 8000 });
  // All events were published before this check: a clinic's page receives none of them.
  expect(elsewhere.filter((topic) => ["clinic", "device", "feedback"].includes(topic))).toEqual([]);
  going.abort();
});
