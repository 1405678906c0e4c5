import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

const demo = (environment: Record<string, string>): boolean => readConfig(environment).ARCADA_DEMO;

it("the demo is on unless a setting indicates that other people than this machine's users are meant", () => {
  expect(demo({})).toBe(true);
  expect(demo({ HOST: "localhost", PUBLIC_URL: "http://localhost:8080" })).toBe(true);
  const signs: Record<string, string>[] = [
    { HOST: "0.0.0.0" },
    { PUBLIC_URL: "https://arcada.example" },
    { PUBLIC_URL: "http://192.168.1.5:8080" },
    { TRUST_PROXY: "1" },
    { SMTP_URL: "smtp://mail.example" },
    { SMS_URL: "https://sms.example" },
    { DATABASE_URL: "postgres://db.example/arcada" },
    { S3_ENDPOINT: "https://s3.example", S3_BUCKET: "b", S3_ACCESS_KEY: "a", S3_SECRET_KEY: "s" },
    { NODE_ENV: "production" },
  ];
  for (const sign of signs) expect(demo(sign), JSON.stringify(sign)).toBe(false);
  for (const sign of signs) expect(demo({ ...sign, ARCADA_DEMO: "on" }), JSON.stringify(sign)).toBe(true);
});
