import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../runtime/config.ts";
import { serveWellKnownFiles } from "./well-known-files.ts";

async function ask(url: string, settings: Record<string, string> = {}) {
  const app = Fastify();
  serveWellKnownFiles(app, readConfig({ DATA_DIR: "/tmp/none", ...settings }));
  onTestFinished(() => app.close());
  return app.inject({ url });
}
const securityText = "/.well-known/security.txt";

it("robots are asked to stay out", async () => {
  const { statusCode, headers, body } = await ask("/robots.txt");
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(body).toBe("User-agent: *\nDisallow: /\n");
});

describe("security.txt", () => {
  it("does not exist without a contact", async () => {
    expect((await ask(securityText)).statusCode).toBe(404);
  });

  it("names the contacts, the policy and its own address, and is valid for less than a year", async () => {
    const { statusCode, headers, body } = await ask(securityText, {
      SECURITY_CONTACT: "security@clinic.example, https://clinic.example/report",
      SECURITY_POLICY: "https://clinic.example/policy",
      PUBLIC_URL: "https://arcada.clinic.example",
    });
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    const lines = body.split("\n");
    const expires = lines.find((line) => line.startsWith("Expires: "))?.slice(9) ?? "";
    expect(lines.filter((line) => !line.startsWith("Expires"))).toEqual([
      "Contact: mailto:security@clinic.example",
      "Contact: https://clinic.example/report",
      "Preferred-Languages: zh, en",
      "Canonical: https://arcada.clinic.example/.well-known/security.txt",
      "Policy: https://clinic.example/policy",
      "",
    ]);
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(170);
    expect(days).toBeLessThan(365);
  });

  it.each(["call us", "http://clinic.example", "mailto:a@b.example\nExpires: never"])(
    "stops the start if the contact is none: %j",
    (contact) => {
      expect(() => readConfig({ DATA_DIR: "/tmp/none", SECURITY_CONTACT: contact })).toThrow("SECURITY_CONTACT");
    },
  );
});
