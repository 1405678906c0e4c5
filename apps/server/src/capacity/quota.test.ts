import { describe, expect, it } from "vitest";
import { setup } from "@arcada/testing/setup/test-server";

describe("the free base of an organisation", () => {
  it("is read and changed by an operator, for a clinic and for a laboratory", async () => {
    const { clinic, lab, server } = await setup();
    const operator = await server.createUser("operator");
    for (const { iid: id } of [clinic, lab]) {
      expect(await operator.call("capacity.quota", { id: id ?? "" })).toEqual({ gigabytes: 5, analyses: 20 });
      await operator.call("capacity.setQuota", { id: id ?? "", gigabytes: 300, analyses: 50 });
      const detail = await operator.call("operator.organisation", { id: id ?? "" });
      expect(detail).toMatchObject({ allowedBytes: 300 * 1024 ** 3, allowedAnalyses: 50 });
    }
    expect(await lab.call("capacity.storage", {})).toMatchObject({ maxSize: 300 });
    expect((await clinic.call("capacity.subscriptions", {})).base).toEqual({ gigabytes: 300, analyses: 50 });
  });

  it("is closed to everybody else, and unknown organisations have none", async () => {
    const { clinic, server } = await setup();
    const quota = { id: clinic.iid ?? "", gigabytes: 300, analyses: 50 };
    for (const person of [clinic, await server.createUser("afterSalesAdmin")])
      expect((await person.ask("capacity.setQuota", quota)).status).toBe(403);
    const operator = await server.createUser("operator");
    expect((await operator.ask("capacity.setQuota", { ...quota, id: operator.uid })).status).toBe(404);
    expect((await operator.ask("capacity.setQuota", { ...quota, gigabytes: -1 })).status).toBe(400);
  });
});
