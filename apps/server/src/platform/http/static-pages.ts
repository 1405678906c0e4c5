import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readLaunchAddress } from "@arcada/contract/patient/launch-address";
import { isInvokeImageDisplayPath, launchPath } from "@arcada/contract/patient/launch-path";
import { leadsToScreen } from "@arcada/contract/screen-paths";
import { screens } from "@arcada/contract/screens";
import type { Config } from "../runtime/config.ts";
import { readCookie } from "./cookies.ts";
import { sendRefusal } from "./error-handler.ts";
import { isFromThisMachine } from "./host-guard.ts";
import { usesOutbox } from "../mail/open-mail.ts";
import { mail } from "../runtime/services.ts";
import { serveInstallableApp } from "./installable-app.ts";
import { serveApiReference } from "../openapi/serve-api-reference.ts";

const webDist = path.join(import.meta.dirname, "../../../../web/dist");

/**
 * Serves the web application, the documentation, and in demo mode, only to this machine, the emails that could not be
 * sent.
 */
export async function servePages(app: FastifyInstance, config: Config): Promise<void> {
  serveApiReference(app, path.join(webDist, "assets"), (reply) => setContentSecurityPolicy(reply, "'unsafe-inline'"));
  if (usesOutbox(config))
    app.get("/outbox", async (request, reply) =>
      isFromThisMachine(request)
        ? reply.type("text/html").send(outboxPage(await mail().outbox(), setContentSecurityPolicy(reply)))
        : sendRefusal(request, reply, "notFound"),
    );
  if (existsSync(webDist))
    await app.register(fastifyStatic, {
      root: path.join(webDist, "assets"),
      prefix: "/assets/",
      immutable: true,
      maxAge: "365d",
      preCompressed: true,
      index: false,
      serveDotFiles: false,
    });
  serveInstallableApp(app, webDist);
  const index = existsSync(webDist) ? readFileSync(path.join(webDist, "index.html"), "utf8") : "";
  const pageAt = createPages(index);
  app.setNotFoundHandler((request, reply) => {
    const [path = "", query = ""] = request.url.split("?");
    if (request.method === "GET" && isInvokeImageDisplayPath(path)) return reply.redirect(`${launchPath}?${query}`);
    if (request.method !== "GET" || isFilePath(path) || index === "") return sendRefusal(request, reply, "notFound");
    const nonce = setContentSecurityPolicy(reply);
    return reply
      .code(statusOf(path, query))
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      .headers(request.url.startsWith(screens.studyShared.path) ? { "x-robots-tag": "noindex, nofollow" } : {})
      .send((isSignedIn(request) ? pageAt(path) : index).replaceAll("__NONCE__", nonce));
  });
}

/** IHE Invoke Image Display asks for 400 if a key is missing; the page says which. */
function statusOf(path: string, query: string): 200 | 400 | 404 {
  if (!leadsToScreen(path)) return 404;
  return path === launchPath && "problem" in readLaunchAddress(new URLSearchParams(query)) ? 400 : 200;
}

/** True for the address of a call or a file, also of one that does not exist: a page would be no answer to it. */
const isFilePath = (path: string): boolean =>
  /^\/(v1|uploads|files|assets|dicomweb|fhir|oauth|\.well-known)(\/|$)/.test(path) ||
  (/\.\w{1,12}$/.test(path) && !leadsToScreen(path));

/** True if the browser claims to be signed in. Content behind the sign-in requires more than this cookie. */
const isSignedIn = (request: FastifyRequest): boolean => Boolean(readCookie(request, "Admin-Token"));

interface PreloadEntry {
  ahead: string[];
  /** The script of a first paint, then those that it imports. */
  first?: string[];
  /** The script that starts the app after the first picture. */
  start?: string;
}

/**
 * Returns the page at a path with the script tags of its screen, so that its scripts load in parallel and not one import
 * after the other. If the page has a request to send first, only its first script and the imports of that are named. It
 * loads the others after its request.
 */
function createPages(index: string): (path: string) => string {
  const file = path.join(webDist, "ahead.json");
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, PreloadEntry>) : {};
  const pages = new Map(
    Object.entries(known).map(([address, { ahead, first, start }]) => {
      const names = ahead.filter((name) => !index.includes(name)).map((name) => `/${name}`);
      const tags = first ? firstPaintTags(first, names) : names.map((name) => preloadTag(name)).join("");
      const page = index.replace("</title>", `</title>${tags}`);
      return [address, start ? delayApp(page, start) : page];
    }),
  );
  return (address) => pages.get(address) ?? index;
}

const preloadTag = (name: string, attributes = ""): string =>
  `<link rel="modulepreload"${attributes} crossorigin href="${name}">`;

function firstPaintTags([script, ...imports]: string[], further: string[]): string {
  const priority = ' fetchpriority="high"';
  return [
    `<meta name="ahead" content="${further.join(" ")}">`,
    `<script type="module" async data-first-paint${priority} crossorigin src="/${script}"></script>`,
    ...imports.map((name) => preloadTag(`/${name}`, priority)),
  ].join("");
}

/** Replaces the tag that starts the app: another script, whose own tag names the app, starts it after the first picture. */
const delayApp = (page: string, start: string): string =>
  page.replace(
    /<script type="module" crossorigin src="([^"]+)"><\/script>/,
    (_, app: string) =>
      `${preloadTag(app)}<script type="module" crossorigin data-app="${app}" src="/${start}"></script>`,
  );

/**
 * Sets the security headers of a page: nothing from elsewhere, no inline script, styles only with this response's
 * nonce. `styles`: for a page that shows nothing but our own texts, and whose library writes styles into its elements.
 */
function setContentSecurityPolicy(reply: FastifyReply, styles?: "'unsafe-inline'"): string {
  const nonce = randomBytes(16).toString("base64");
  const rules = [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' ${styles ?? `'nonce-${nonce}'`}`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  reply.header("content-security-policy", rules.join("; "));
  // The camera takes a patient's photographs; the other devices of the machine are not used.
  reply.header("permissions-policy", "camera=(self), microphone=(), geolocation=(), payment=(), usb=()");
  return nonce;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const outboxPage = (
  emails: { to: string; subject: string; text: string; at: string; channel: string }[],
  nonce: string,
): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox 发件箱</title>
<style nonce="${nonce}">body{font:15px/1.6 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1f2933}
article{border:1px solid #d9e2ec;border-radius:8px;padding:.75rem 1rem;margin:.75rem 0}h1{font-size:1.3rem}h2{font-size:1rem;margin:0}small{color:#52606d}pre{white-space:pre-wrap;font:inherit;margin:.4rem 0 0}</style>
<h1>Outbox · 发件箱</h1><p>In the demo, emails and text messages stay here for a day. 演示模式下，邮件与短信在此保留一天。</p>
${emails.map(({ to, subject, text, at, channel }) => `<article><h2>${escapeHtml(subject)}</h2><small>${escapeHtml(channel)} · ${escapeHtml(to)} · ${escapeHtml(at)}</small><pre>${escapeHtml(text)}</pre></article>`).join("") || "<p>Empty · 空</p>"}</html>`;
