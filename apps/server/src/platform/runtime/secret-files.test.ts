import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
function write(content: string): string {
  const file = path.join(folder, `secret-${(count += 1)}`);
  writeFileSync(file, content);
  return file;
}
const read = (settings: Record<string, string>) => readConfig({ DATA_DIR: folder, ...settings });
const key = "k".repeat(32);

it.each([key, `${key}\n`, `${key}\r\n`])("a secret is the content of its file without one line end: %j", (content) => {
  expect(read({ SECRET_KEY_FILE: write(content) }).SECRET_KEY).toBe(key);
});

it("a second line end and spaces belong to the secret", () => {
  expect(read({ SECRET_KEY_FILE: write(` ${key}\n\n`) }).SECRET_KEY).toBe(` ${key}\n`);
});

it.each([
  ["DATABASE_URL", "postgres://db.example/arcada"],
  ["SMTP_URL", "smtp://user:password@mail.example"],
  ["SMS_URL", "https://sms.example/send"],
  ["METRICS_TOKEN", "a-token-of-sixteen"],
  ["S3_ACCESS_KEY", "access"],
  ["S3_SECRET_KEY", "secret"],
] as const)("%s may be a file", (name, value) => {
  expect(read({ [`${name}_FILE`]: write(`${value}\n`) })[name]).toBe(value);
});

it("a secret in a file indicates production, and satisfies the settings that need it", () => {
  expect(read({ SMTP_URL_FILE: write("smtp://mail.example") }).ARCADA_DEMO).toBe(false);
  const s3 = { S3_ENDPOINT: "https://s3.example", S3_BUCKET: "b", S3_ACCESS_KEY: "a" };
  expect(read({ ...s3, S3_SECRET_KEY_FILE: write("s") }).S3_SECRET_KEY).toBe("s");
});

it("the checks of a setting hold for a file too", () => {
  expect(() => read({ SECRET_KEY_FILE: write("short") })).toThrow(/SECRET_KEY: /);
});

it.each<[string, () => Record<string, string>, RegExp]>([
  ["set twice", () => ({ SECRET_KEY: key, SECRET_KEY_FILE: write(key) }), /cannot be set beside SECRET_KEY$/m],
  ["missing", () => ({ SECRET_KEY_FILE: path.join(folder, "nothing") }), /nothing cannot be read: ENOENT$/m],
  ["a folder", () => ({ SECRET_KEY_FILE: folder }), /cannot be read: EISDIR$/m],
  ["empty", () => ({ SECRET_KEY_FILE: write("\n") }), /is empty$/m],
])("a file that is %s stops the start with one sentence", (_, settings, sentence) => {
  expect(() => read(settings())).toThrow(sentence);
  expect(() => read(settings())).toThrow(/SECRET_KEY_FILE: /);
});

it("the sentence does not contain the secret", () => {
  expect(() => read({ SMTP_URL_FILE: write("secret word") })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("secret word") }),
  );
});
