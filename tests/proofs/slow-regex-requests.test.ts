import { beforeAll, describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { everyCall } from "@arcada/contract/calls";
import { hostileFieldTexts } from "@arcada/testing/hostile/slow-regex-texts";
import { schemaLeaves } from "@arcada/testing/hostile/schema-leaves";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { CallName, TestUser, TestServer } from "@arcada/testing/setup/test-server";

const isFull = process.env.ARCADA_PROOF === "full";
const limitMs = 2000;
let testServer: TestServer;
let person: TestUser;
beforeAll(async () => {
  testServer = await getTestServer();
  person = (await setup()).clinic;
});

/** A request may carry this much: Node limits the request headers, which include the address, to 16 KiB. */
const sizes = { GET: 4000, POST: 100_000 } as const;
const texts = { GET: hostileFieldTexts(sizes.GET), POST: hostileFieldTexts(sizes.POST) };
const places = everyCall().flatMap(({ name, row }) => {
  // These end the session that asks.
  if (["account.logout", "account.endSession"].includes(name)) return [];
  return schemaLeaves(row.input).map((place) => ({ ...place, name: name as CallName, method: row.method }));
});
/** One place in eight with one text, the next text for the next place; all of them with seven in the full run. */
const attempts = places.flatMap((place, at) => {
  const all = texts[place.method];
  const turns = isFull ? [0, 1, 2, 3, 4, 5, 6] : at % 8 === 0 ? [0] : [];
  return turns.map((turn) => ({ ...place, ...all[(at * 7 + turn) % all.length] }));
});

describe("a hostile text in a request", () => {
  it("is answered by name and quickly, for every sender", async () => {
    const wrong: string[] = [];
    let asked = 0;
    for (const { name, path, inputWith: fill, shape, text } of attempts)
      for (const [who, headers] of [
        ["anonymous", {}],
        ["signed in", { token: person.token }],
      ] as [string, Record<string, string>][]) {
        const begun = process.cpuUsage();
        const answer = await testServer.ask(name, fill(text), headers);
        const { user } = process.cpuUsage(begun);
        asked += 1;
        person.token = answer.headers.get("new-token") ?? person.token;
        if (answer.status >= 500) wrong.push(`${name}${path} ${who}: ${answer.status} on ${shape}`);
        if (user / 1000 > limitMs) wrong.push(`${name}${path} ${who}: ${Math.round(user / 1000)} ms on ${shape}`);
      }
    console.info(`${asked} requests to ${new Set(attempts.map(({ name }) => name)).size} calls, ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
  }, 1_800_000);

  it("in an anonymous sign-in, with an address of 160,000 dots, is refused without blocking", async () => {
    const begun = process.cpuUsage();
    const account = `a@${".".repeat(160_000)}@`;
    const answer = await testServer.ask("account.login", { account, password: "xxxxxx" });
    expect(answer).toMatchObject({ code: refusals.badInput.code, data: { account: expect.any(String) } });
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1000);
  });

  it("in 50 error reports, where every other character is an @, is stored without blocking", async () => {
    const error = { message: "a@".repeat(1000), stack: "a@".repeat(4000), path: "/x", at: "2026-01-01T00:00:00Z" };
    const begun = process.cpuUsage();
    const answer = await person.ask("account.reportErrors", { errors: Array.from({ length: 50 }, () => error) });
    expect(answer.code).toBe(200);
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(3000);
  });
});
