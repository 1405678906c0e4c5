import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { serveInstallableApp } from "./installable-app.ts";

async function ask(url: string, language: string, { isBuilt = true } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-web-"));
  const app = Fastify();
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  if (isBuilt) {
    writeFileSync(path.join(folder, "manifest.json"), JSON.stringify({ icons: [{ src: "/assets/icon-1.png" }] }));
    writeFileSync(path.join(folder, "service-worker.js"), "// worker");
  }
  serveInstallableApp(app, folder);
  return app.inject({ url, headers: { "accept-language": language } });
}

it.each([
  ["zh-CN,zh;q=0.9", "Arcada 口腔数字云"],
  ["en-GB", "Arcada dental cloud"],
])("names the application in the reader's language: %s", async (language, name) => {
  const { headers, json } = await ask("/manifest.webmanifest", language);
  expect(headers["content-type"]).toBe("application/manifest+json; charset=utf-8");
  expect(headers["vary"]).toBe("accept-language");
  expect(json()).toMatchObject({ name, start_url: "/", display: "standalone", icons: [{ src: "/assets/icon-1.png" }] });
});

it("lets browsers ask for the service worker each time, and lets it fetch from this server alone", async () => {
  const { headers, body } = await ask("/service-worker.js", "en");
  expect([headers["cache-control"], headers["content-security-policy"]]).toEqual([
    "no-cache",
    "default-src 'none'; connect-src 'self'",
  ]);
  expect(body).toBe("// worker");
});

it("serves neither where the web application is not built", async () => {
  expect((await ask("/service-worker.js", "en", { isBuilt: false })).statusCode).toBe(404);
});
