import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SmsPeer } from "@arcada/testing/peers/sms-peer";
import type { SmsBehaviour } from "@arcada/testing/peers/sms-peer";
import { readConfig } from "../runtime/config.ts";
import type { OutgoingMessage } from "./message-types.ts";
import { openSms } from "./sms.ts";
import type { SmsError } from "./sms.ts";

let peer: SmsPeer;
beforeEach(async () => {
  peer = await new SmsPeer().start();
});
afterEach(() => peer.stop());

const message: OutgoingMessage = {
  id: "01890000-0000-7000-8000-000000000001",
  channel: "sms",
  to: "+8613912345678",
  subject: "",
  text: 'Code "123456" {to}',
  name: "code",
  values: { code: "123456", minutes: 5 },
  language: "zh",
};
const send = (settings: Record<string, string> = {}, change: Partial<OutgoingMessage> = {}, timeoutMs?: number) =>
  openSms(
    readConfig({ SMS_URL: peer.url, ARCADA_DEMO: "off", ...settings }),
    peer.url,
    timeoutMs,
  )({ ...message, ...change });
const failure = (settings: Record<string, string> = {}, timeoutMs?: number) =>
  send(settings, {}, timeoutMs).then(
    () => null,
    ({ message: text, isPermanent, answer }: SmsError) => ({ text, isPermanent, answer }),
  );

describe("the request", () => {
  it("is JSON with number, text and id, and a bearer token", async () => {
    await send({ SMS_TOKEN: "t0ken" });
    expect(peer.messages).toEqual([{ to: message.to, text: message.text, id: message.id }]);
    expect(peer.received[0].headers).toMatchObject({
      authorization: "Bearer t0ken",
      "content-type": "application/json",
    });
  });

  it("is a form with basic authentication where that is set", async () => {
    await send({
      SMS_TOKEN: "s",
      SMS_USER: "AC1",
      SMS_FORMAT: "form",
      SMS_BODY: '{"To":"{to}","From":"+15005550006","Body":"{text}"}',
    });
    expect(Object.fromEntries(new URLSearchParams(peer.received[0].body))).toEqual({
      To: message.to,
      From: "+15005550006",
      Body: message.text,
    });
    expect(peer.received[0].headers.authorization).toBe(`Basic ${Buffer.from("AC1:s").toString("base64")}`);
  });

  it("names the template of the language, and passes its parameters as a text or as JSON", async () => {
    await send({
      SMS_BODY:
        '{"phone":"{digits}","template":"{template}","param":{"code":"{code}"},"paramText":"{\\"code\\":\\"{code}\\"}"}',
      SMS_TEMPLATES: '{"code":"T1","code.zh":"T2"}',
      SMS_HEADERS: '{"x-key":"k-{token}"}',
      SMS_TOKEN: "9",
    });
    expect(JSON.parse(peer.received[0].body)).toEqual({
      phone: "8613912345678",
      template: "T2",
      param: { code: "123456" },
      paramText: '{"code":"123456"}',
    });
    expect(peer.received[0].headers["x-key"]).toBe("k-9");
    expect(peer.received[0].headers.authorization, "the token has its place").toBeUndefined();
  });

  it("is not made for a message without a template, where templates are set", async () => {
    const settings = { SMS_TEMPLATES: '{"code":"T1"}' };
    await expect(send(settings, { name: "passwordChanged" })).rejects.toMatchObject({ isPermanent: true });
    expect(peer.received).toEqual([]);
  });

  it("leaves placeholders alone that are no value of the message", async () => {
    await send({ SMS_BODY: '{"text":"{constructor} {other} {code}"}' });
    expect(JSON.parse(peer.received[0].body)).toEqual({ text: "{constructor} {other} 123456" });
  });
});

describe("the answer", () => {
  it.each<[string, SmsBehaviour, string, boolean]>([
    ["400 is final", { status: 400, body: "bad number" }, "sms 400", true],
    ["401 is final", { status: 401 }, "sms 401", true],
    ["408 is retried", { status: 408 }, "sms 408", false],
    ["429 is retried", { status: 429 }, "sms 429", false],
    ["500 is retried", { status: 500 }, "sms 500", false],
    ["a redirect is not followed", { status: 302 }, "sms 302", false],
  ])("%s", async (_, behaviour, text, isPermanent) => {
    peer.respond = () => behaviour;
    expect(await failure()).toMatchObject({ text, isPermanent });
    expect(peer.received).toHaveLength(1);
  });

  it("of a refusal is kept for the operator, and is no part of the error's message", async () => {
    peer.respond = () => ({ status: 400, body: `no such number ${message.to}` });
    expect(await failure()).toMatchObject({ text: "sms 400", answer: `no such number ${message.to}` });
  });

  it("that never comes counts as a fault after the time limit", async () => {
    peer.respond = () => "never";
    expect(await failure({}, 200)).toMatchObject({ text: "sms timeout", isPermanent: false });
  });

  it("that is huge is not read, and a success counts", async () => {
    peer.respond = () => ({ bytes: 200_000_000 });
    await send();
    expect(peer.takenBytes).toBeLessThan(20_000_000);
  });

  it("that is huge counts as a fault where it must name success", async () => {
    peer.respond = () => ({ bytes: 200_000_000 });
    expect(await failure({ SMS_SUCCESS: "code=0" })).toMatchObject({
      text: "sms: the answer is too large",
      isPermanent: false,
    });
    expect(peer.takenBytes).toBeLessThan(20_000_000);
  });

  it.each([
    ["code=0", '{"code":0}', true],
    ["code=0", '{"code":22,"msg":"busy"}', false],
    ["messages.0.status=0", '{"messages":[{"status":"0"}]}', true],
    ["messages.0.status=0", '{"messages":[]}', false],
    ["code=0", "OK", false],
  ])("must have %s; %s", async (condition, body, isSuccess) => {
    peer.respond = () => ({ status: 200, body });
    const found = await failure({ SMS_SUCCESS: condition });
    expect(found === null).toBe(isSuccess);
    expect(found?.isPermanent ?? false).toBe(false);
  });
});

it("a provider that is away is a fault that names no address", async () => {
  peer.stop();
  expect(await failure()).toEqual({ text: "sms ECONNREFUSED", isPermanent: false, answer: "" });
});

describe("the settings", () => {
  it.each([
    [{ SMS_URL: "http://sms.example/send" }, "SMS_URL: must be https"],
    [{ SMS_URL: "ftp://sms.example" }, "SMS_URL"],
    [{ SMS_URL: "https://sms.example", SMS_BODY: "{to}" }, "SMS_BODY: is not JSON"],
    [{ SMS_URL: "https://sms.example", SMS_BODY: '["{to}"]' }, "SMS_BODY: must be a JSON object"],
    [{ SMS_URL: "https://sms.example", SMS_SUCCESS: "ok" }, "SMS_SUCCESS: must be like"],
    [{ SMS_URL: "https://sms.example", SMS_TEMPLATES: '{"code":1}' }, "SMS_TEMPLATES"],
    [{ SMS_TOKEN: "t" }, "SMS_URL: is needed beside SMS_TOKEN"],
  ])("%j stop the start: %s", (settings, problem) => {
    expect(() => readConfig({ DATA_DIR: "/tmp/none", ...settings } as Record<string, string>)).toThrow(problem);
  });

  it.each(["https://sms.example/v1", "http://127.0.0.1:8300/send", "http://10.1.2.3/send", "http://[fd00::7]/send"])(
    "accept %s",
    (url) => {
      expect(readConfig({ DATA_DIR: "/tmp/none", SMS_URL: url }).SMS_URL).toBe(url);
    },
  );
});
