import { afterAll, expect, it, vi } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { noticeCalls } from "@arcada/contract/notice/notice.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { Product } from "@arcada/testing/setup/product-process";
import { present } from "@arcada/testing/require-present";
import { scaleToIdleMachine } from "@arcada/testing/tools/idle-machine-time";

const products: Product[] = [];
afterAll(async () => {
  for (const product of products) await product.stop();
  await products[0]?.remove();
});

it("two processes publish the events of either to every tab; a session ended in one ends its streams in the other; a stopped process closes its streams", async () => {
  const DATABASE_URL = await createDatabaseUrl();
  const SECRET_KEY = "a-key-that-all-processes-share-0123";
  const first = new Product({ DATABASE_URL, SECRET_KEY });
  const second = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web", DATA_DIR: first.folder });
  products.push(first, second);
  await first.start();
  await second.start();
  const registered = await first.register("live@processes.test", "clinicManager");
  const institution = await first.call(
    institutionCalls.create,
    { name: "Live", type: "clinic", country: "CN" },
    { token: registered },
  );
  const { token } = await first.call(institutionCalls.switch, { iid: institution.id }, { token: registered });
  const tabs = [
    await openTab(first.address, token),
    await openTab(second.address, token),
    await openTab(second.address, token),
  ];
  for (const at of [first, second]) {
    const patient = await at.call(
      patientCalls.create,
      { name: "直播", sex: "other", birthDate: "1990-01-01", evenIfDuplicate: true },
      { token },
    );
    for (const { text } of tabs) await vi.waitFor(() => expect(text()).toContain(patient.id), { timeout: 5000 });
    await at.call(noticeCalls.switchConfig, { kind: "orderMoved", channel: "email", on: at === first }, { token });
  }
  for (const { text } of tabs) await vi.waitFor(() => expect(text().match(/"notice"/g)).toHaveLength(2));

  await first.stop();
  expect(await tabs[0].ended).toBe("closed");
  const began = Date.now();
  await second.call(sessionCalls.logout, {}, { token });
  expect(await Promise.all([tabs[1].ended, tabs[2].ended])).toEqual(["closed", "closed"]);
  expect(scaleToIdleMachine(Date.now() - began)).toBeLessThan(1200);
});

/** An open tab: the events that it has received, and how its stream ended. */
async function openTab(address: string, token: string): Promise<{ text: () => string; ended: Promise<string> }> {
  const response = await fetch(`${address}/v1/notice/stream`, { headers: { token } });
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of present(response.body, "body"))
      text += decoder.decode(bytes as Uint8Array, { stream: true });
  };
  const ended = read().then(
    () => "closed",
    () => "broken",
  );
  return { text: () => text, ended };
}
