import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSentCode, passHumanCheck } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";

const received: { to: string[]; raw: string }[] = [];
const peer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      received.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks).toString(),
      });
      done();
    });
  },
});
let url = "";
beforeAll(async () => {
  peer.listen(0, "127.0.0.1");
  await once(peer.server, "listening");
  url = `smtp://127.0.0.1:${(peer.server.address() as AddressInfo).port}`;
});
// The server under test lets go of its connections after this: nobody waits for them here.
afterAll(() => peer.close(() => {}));

it("a code is sent by SMTP if a mail server is configured, and is not in the outbox", async () => {
  const env = await getTestServer({ SMTP_URL: url });
  const account = "by.mail@clinic.test";
  const sent = await env.ask("account.sendCode", { account, purpose: "register", human: await passHumanCheck(env) });
  expect(sent.code).toBe(200);
  expect(received).toHaveLength(1);
  expect(received[0].to).toEqual([account]);
  const code = /\b\d{6}\b/.exec(received[0].raw)?.[0] ?? "";
  expect((await env.ask("account.registerVerify", { account, code })).code).toBe(200);
  expect(await findSentCode(account)).toBe("");
});
