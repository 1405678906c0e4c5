import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { start } from "../../start.ts";
import { readConfig } from "../runtime/config.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { MailError } from "./message-types.ts";
import type { MessageChannel, OutgoingMessage } from "./message-types.ts";
import { openMail } from "./open-mail.ts";
import { outboxLimits, sweepOutbox } from "./demo-outbox.ts";

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
const message = (channel: MessageChannel): OutgoingMessage => ({
  id: newId(),
  channel,
  to: "recipient",
  subject: "Code",
  text: "123456",
  name: "code",
  values: { code: "123456" },
  language: "en",
});

it("the demo writes emails and text messages into its folder", async () => {
  const folder = makeFolder();
  const mail = openMail(readConfig({ DATA_DIR: folder }));
  await mail.send(message("email"));
  await mail.send(message("sms"));
  expect((await mail.outbox()).map(({ channel }) => channel)).toEqual(["sms", "email"]);
});

it.each([
  { name: "without the demo", settings: { ARCADA_DEMO: "off" } },
  { name: "with a mail server", settings: { SMTP_URL: "smtp://127.0.0.1:9", ARCADA_DEMO: "on" } },
])("$name no message is written to a file, and phone numbers are not offered", async ({ settings }) => {
  const folder = makeFolder();
  const mail = openMail(readConfig({ DATA_DIR: folder, ...settings }));
  await expect(mail.send(message("sms"))).rejects.toThrow("sms is not configured");
  await expect(mail.send(message("email"))).rejects.toThrow(MailError);
  expect([mail.offers("sms"), readdirSync(folder)]).toEqual([false, []]);
  mail.close();
});

it("a start without the demo removes the outbox of an earlier demo", async () => {
  const { connection, folder } = await createTestDatabase();
  mkdirSync(path.join(folder, "outbox"));
  writeFileSync(path.join(folder, "outbox", `${newId()}.json`), "{}");
  const config = readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent", ARCADA_DEMO: "off" });
  const running = await start(config, { connection });
  await running.stop();
  expect(readdirSync(folder)).not.toContain("outbox");
});

it("the outbox keeps the newest messages of one day", async () => {
  const folder = makeFolder();
  const names = Array.from({ length: outboxLimits.keptFiles + 3 }, () => `${newId()}.json`).toSorted();
  for (const name of names) writeFileSync(path.join(folder, name), "{}");
  await sweepOutbox(folder);
  expect(readdirSync(folder).toSorted()).toEqual(names.slice(3));
  await sweepOutbox(folder, Date.now() + outboxLimits.keptMs + 1000);
  expect(readdirSync(folder)).toEqual([]);
});
