import { beforeAll, expect, it } from "vitest";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import type { Database } from "../platform/database/database.ts";
import { receiveMessage } from "./receive-message.ts";

let env: TestSetup;
beforeAll(async () => {
  env = await setup();
  const names = { name: "Hospital", application: "KIS", createsPatients: true } as const;
  await env.clinic.call("hl7.saveConnection", { ...names, results: "off", port: 2575, tls: false });
});

/** Receives a new patient while the next transaction fails. */
function receive(number: string, error?: Error): Promise<string> {
  const { database } = env.server.running;
  let isFailing = error !== undefined;
  const failing: Database = {
    ...database,
    as: (scope, work) => {
      const fails = isFailing;
      isFailing = false;
      return fails ? Promise.reject(error as Error) : database.as(scope, work);
    },
  };
  const text = `MSH|^~\\&|KIS||||20260101||ADT^A04|${number}|P|2.5\rPID|1||${number}||Pause^${number}||19850908|F\r`;
  return receiveMessage(failing, env.clinic.iid, Buffer.from(text));
}

it.each(["57P01", "57P02", "57014", "53300", "53100", "55P03", "08006", "ECONNRESET", "ENOSPC"])(
  "a message has no answer while the database fails by %s, and is done once when it comes again",
  async (code) => {
    const error = Object.assign(new Error("the database fails once"), { code });
    await expect(receive(code, error)).rejects.toThrow("fails once");
    expect(await receive(code)).toContain(`MSA|AA|${code}`);
    expect(await receive(code)).toContain(`MSA|AA|${code}`);
    const { list } = await env.clinic.call("patient.list", { search: code });
    expect(list.filter(({ entryNumber }) => entryNumber === code)).toHaveLength(1);
  },
);

it("a message that makes the work fail is answered with an error, so that those behind it go on", async () => {
  const answer = await receive("FAULT", new TypeError("a fault"));
  expect(answer).toContain("MSA|AE|FAULT");
  expect((await env.clinic.call("hl7.messages", {})).list[0]).toMatchObject({ controlId: "FAULT", state: "refused" });
});
