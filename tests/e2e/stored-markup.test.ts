import { inflateSync } from "node:zlib";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { mayRole } from "@arcada/contract/kernel/roles";
import { emailHtml } from "../../apps/server/src/platform/mail/email-templates.ts";
import { launchBrowser } from "../browser.ts";
import { textIn } from "../proofs/archives.ts";
import { Elsewhere } from "../proofs/elsewhere.ts";
import { canary, markup, plantsEverywhere, sign } from "./markup.ts";
import { plantsMarkup } from "./markup-world.ts";
import type { MarkupWorld } from "./markup-world.ts";
import { watch } from "./watch.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";
const elsewhere = new Elsewhere({ ARCADA_DEMO: "accounts" });
let browser: Browser;
let world: MarkupWorld;
let columns = 0;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), elsewhere.start()]);
  world = await plantsMarkup(elsewhere);
  columns = await plantsEverywhere(elsewhere.there.running.database);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await elsewhere.remove();
});

describe("T-27: what people write is text wherever it is shown, sent, printed or taken along", () => {
  it("runs nowhere on a screen, for no role, and loads nothing", async () => {
    const shown = new Set<string>();
    const heard: string[] = [];
    const walks = Object.entries(walksOf(world));
    // Two at once: as many as the smallest machine has cores.
    const walk = async () => {
      for (let next = walks.shift(); next; next = walks.shift()) {
        const [role, addresses] = next;
        const one = await sits(world.cast[role as keyof MarkupWorld["cast"]].token, heard);
        for (const address of addresses) await looks(one, address, { shown, heard, role });
        await one.context().close();
      }
    };
    await Promise.all([walk(), walk()]);
    console.info(
      `T-27: markup by ${world.planted.size} calls and in ${columns} columns, seen as text on ${shown.size} screens, ${heard.length} times more than text`,
    );
    expect(heard).toEqual([]);
    expect(columns).toBeGreaterThan(80);
    expect(shown.size).toBeGreaterThan(20);
  }, 900_000);

  it("runs nowhere in what a guest opens by a link", async () => {
    const heard: string[] = [];
    let read = 0;
    for (const secret of world.links) {
      const page = await sits(null, heard);
      await page.goto(`${elsewhere.product.address}${screens.studyShared.path}#${secret}`);
      await page.getByRole("button").last().waitFor();
      await settles(page);
      await page
        .locator("form button[type=submit], main button")
        .last()
        .click({ timeout: 3000 })
        .catch(() => {});
      await settles(page);
      heard.push(...(await brokenOut(page, "a link")));
      if ((await page.locator("body").innerText()).includes(sign)) read += 1;
      await page.context().close();
    }
    expect(heard).toEqual([]);
    expect(read).toBeGreaterThan(0);
  }, 120_000);

  it("leads nowhere else from a notice, whatever address it names", async () => {
    const { clinicAdmin } = world.cast;
    const heard: string[] = [];
    const links = [`//${canary}/n`, "javascript:__xss(9)", `https://${canary}/n`, `/\\${canary}/n`];
    await elsewhere.there.running.database.asSystem(async (db) => {
      await sql`delete from notice where user_id = ${clinicAdmin.uid}`.execute(db);
      for (const link of links)
        await sql`insert into notice (id, institution_id, user_id, kind, params, link)
          values (gen_random_uuid(), ${clinicAdmin.iid}, ${clinicAdmin.uid}, 'orderMoved', '{}', ${link})`.execute(db);
    });
    const page = await sits(clinicAdmin.token, heard);
    for (const at of links.keys()) {
      await page.goto(`${elsewhere.product.address}${screens.iconList.path}`);
      await page
        .getByRole("button", { name: /notif|通知/i })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("button").filter({ hasText: /order/i }).nth(at).click({ timeout: 5000 });
      await settles(page);
      expect(page.url(), links[at]).toContain(elsewhere.product.address);
    }
    await page.context().close();
    expect(heard).toEqual([]);
  }, 120_000);

  it("runs nowhere in an e-mail", async () => {
    const heard: string[] = [];
    const page = await sits(null, heard);
    await page.goto(`${elsewhere.product.address}/outbox`);
    heard.push(...(await brokenOut(page, "/outbox")));
    const text = markup();
    const html = emailHtml({
      language: "en",
      title: text,
      body: `${text}\n\n${text}`,
      foot: text,
      link: { url: "https://arcada.example/", label: text },
    });
    // Without the policy of a server, as a mail reader that allows everything.
    await page.goto("about:blank");
    await page.setContent(html);
    heard.push(...(await brokenOut(page, "a letter")));
    expect(await page.locator("body").innerText()).toContain(sign);
    await page.context().close();
    expect(heard).toEqual([]);
  }, 60_000);
});

describe("T-27: what is taken along", () => {
  it("holds no formula, no script and no way out, in tables, prescriptions and papers", async () => {
    const { cast, ids } = world;
    const { clinicAdmin: clinic, factoryAdmin: lab, afterSalesAdmin: service } = cast;
    const taken = [
      [clinic, await clinic.gets("patient.export", {})],
      [clinic, await clinic.gets("order.export", {})],
      [clinic, await clinic.gets("trail.export", {})],
      [clinic, await clinic.gets("dashboard.export", { from: "2026-01-01", to: "2026-12-31" })],
      [lab, await lab.gets("order.prescription", { id: ids.order })],
      [service, await service.gets("workorder.paper", { id: ids.finished })],
    ] as const;
    const bad: string[] = [];
    let texts = 0;
    for (const [who, { url }] of taken) {
      const answer = await fetch(elsewhere.product.address + url, { headers: { token: who.token } });
      const found = insideOf(Buffer.from(await answer.arrayBuffer()));
      if (found.text.includes("onerror=__xss(")) texts += 1;
      bad.push(...found.bad.map((what) => `${url.split("?")[0]}: ${what}`));
    }
    expect(bad).toEqual([]);
    expect(texts).toBeGreaterThan(1);
  }, 120_000);
});

/** Returns the text of a file, and every part of it that would be executed when the file is opened. */
function insideOf(bytes: Buffer): { text: string; bad: string[] } {
  if (bytes.subarray(0, 4).toString("latin1") === "%PDF") {
    const text = pdfText(bytes);
    return {
      text,
      bad: text.match(/\/(JavaScript|JS|URI|Launch|OpenAction|AA|EmbeddedFile|SubmitForm|GoToR|RichMedia)\b/g) ?? [],
    };
  }
  if (bytes.readUInt32LE(0) === 0x04034b50) {
    const text = textIn(bytes, "xl/worksheets/sheet1.xml").replace(/&lt;/g, "<");
    return { text, bad: text.match(/<f[ >]|t="str"|<hyperlink/g) ?? [] };
  }
  const text = bytes.toString();
  expect(text.startsWith("\uFEFF")).toBe(true);
  return { text, bad: text.match(/(^|,|\n)"?[=+@\t][^,\n]*/g) ?? [] };
}
/** Returns all text in a PDF, including compressed streams. */
function pdfText(bytes: Buffer): string {
  const raw = bytes.toString("latin1");
  const parts = [raw];
  for (const { index } of raw.matchAll(/stream\r?\n/g)) {
    const begin = raw.indexOf("\n", index) + 1;
    try {
      parts.push(inflateSync(bytes.subarray(begin), { finishFlush: 2 }).toString("latin1"));
    } catch {
      // A picture, or text that is not packed.
    }
  }
  return parts.join("\n");
}

/**
 * Each role opens these addresses: every screen once, including the seeded records; in the full size, every role opens
 * every screen that it may.
 */
function walksOf({ ids, cast }: MarkupWorld): Record<string, string[]> {
  const queries: Partial<Record<ScreenName, string>> = {
    patientDetail: `id=${ids.patient}`,
    orderDetail: `id=${ids.order}`,
    reportDetail: `id=${ids.report}`,
    viewer: `study=${ids.study}`,
    cephViewer: `study=${ids.film}&item=${ids.filmItem}`,
    cephOver: `patient=${ids.patient}`,
    compare: `patient=${ids.patient}&left=${ids.study}&right=${ids.film}`,
    filmMount: `patient=${ids.patient}`,
    sendPage: `patientId=${ids.patient}`,
    clinicDetail: `id=${ids.clinic}`,
    deviceDetail: `id=${ids.device}`,
    workorderDetail: `id=${ids.work}`,
    feedbackDetail: `id=${ids.feedback}`,
    packageDetail: `id=${ids.package}`,
    workOrder: `id=${ids.ownWork}`,
    analysis: `id=${ids.analysis}`,
  };
  const taken = new Set<ScreenName>();
  const walks: Record<string, string[]> = {};
  for (const role of [
    "clinicAdmin",
    "factoryAdmin",
    "afterSalesAdmin",
    "operator",
    "afterSalesMember",
    "newUser",
    "clinicMember",
    "factoryMember",
  ] as const)
    for (const [name, screen] of Object.entries(screens) as [ScreenName, Screen][]) {
      const open =
        screen.access === "anyone" || screen.access === "signedIn" || mayRole(screen.access, cast[role].role);
      const again = taken.has(name) && !(role === "factoryAdmin" && /^(order|relation|member)/.test(name));
      if (!open || (again && !isFull)) continue;
      taken.add(name);
      const query = queries[name];
      (walks[role] ??= []).push(query ? `${screen.path}?${query}` : screen.path);
    }
  walks["clinicAdmin"]!.push(`${screens.viewer.path}?study=${ids.model}`, "/docs");
  return walks;
}

/**
 * Opens a separate browser that records script execution, dialogs, policy violations and requests to the canary's host.
 */
async function sits(token: string | null, heard: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  if (token) await context.addCookies([{ name: "Admin-Token", value: token, url: elsewhere.product.address }]);
  await context.exposeFunction("__xss", (place: unknown) => heard.push(`script ${String(place)}`));
  await context.route(
    (url) => url.hostname.includes("canary"),
    (route) => {
      heard.push(`request: ${route.request().url()} from ${route.request().frame().url()}`);
      return route.abort();
    },
  );
  context.on("dialog", (dialog) => {
    heard.push(`dialog at ${dialog.page()?.url()}`);
    void dialog.dismiss();
  });
  const page = await context.newPage();
  const complaints = await watch(page);
  page.on("close", () => heard.push(...complaints.filter((line) => /^blocked|__xss/.test(line))));
  return page;
}

interface Findings {
  shown: Set<string>;
  heard: string[];
  role: string;
}
async function looks(page: Page, address: string, { shown, heard, role }: Findings): Promise<void> {
  await page.goto(elsewhere.product.address + address);
  await settles(page);
  const tabs = await page.locator("main [role=tab]").count();
  for (let at = -1; at < Math.min(tabs, isFull ? 20 : 8); at++) {
    if (at >= 0) {
      await page
        .locator("main [role=tab]")
        .nth(at)
        .click({ timeout: 1000 })
        .catch(() => {});
      await settles(page, 250);
    }
    heard.push(...(await brokenOut(page, `${address} as ${role}`)));
    if ((await page.locator("body").innerText()).includes(sign)) shown.add(new URL(page.url()).pathname);
  }
}

/** Live updates keep the line busy for ever: what a page shows is there soon after nothing new has come for a while. */
async function settles(page: Page, ms = 700): Promise<void> {
  await page.waitForLoadState("load");
  await page.waitForTimeout(ms);
}

/** Elements that only planted text can have made. */
const brokenOut = async (page: Page, where: string): Promise<string[]> =>
  (
    await page.evaluate(
      (host) =>
        [
          ...document.querySelectorAll(
            `[src*="${host}"], [href*="${host}"]:not([href^="mailto:"]), [onerror], [onload], [onclick], a[href^="javascript:" i]`,
          ),
        ].map((element) => element.outerHTML.slice(0, 200)),
      canary,
    )
  ).map((html) => `${where}: ${html}`);
