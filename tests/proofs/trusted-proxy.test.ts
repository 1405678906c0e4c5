import { expect, it } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";

it("behind a proxy, a server identifies the client by what the proxy reports, not by what the client sends", async () => {
  const testServer = await getTestServer({ TRUST_PROXY: "on" });
  const person = await testServer.createUser("newUser");
  const headers = { "x-forwarded-for": "198.51.100.66, 203.0.113.9" };
  const answer = await testServer.ask(
    "account.login",
    { account: `${person.uid}@example.test`, password: "wrong-password" },
    headers,
  );
  expect(answer.status).toBe(401);
  const failed = await testServer.running.database.asSystem((db) =>
    db.selectFrom("login_failure").select("address").execute(),
  );
  expect(failed).toEqual([{ address: "203.0.113.9" }]);
});
