import { inflateSync } from "node:zlib";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { hasAccess } from "@arcada/contract/kernel/roles";
import { emailHtml } from "../../apps/server/src/platform/mail/email-html.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { readArchiveText } from "../proofs/support/archive-forgery.ts";
import { SecondInstance } from "../proofs/support/second-instance.ts";
import { canaryHost, markup, writeMarkupEverywhere, markupSign } from "./markup/hostile-markup-texts.ts";
import { setupMarkup } from "./markup/hostile-markup-setup.ts";
import type { MarkupSetup } from "./markup/hostile-markup-setup.ts";
import { watchConsole } from "./support/console-watch.ts";
import { waitUntilQuiet, watchRequests } from "./support/network-quiet.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";
const otherInstance = new SecondInstance({ ARCADA_DEMO: "accounts" });
let browser: Browser;
let setup: MarkupSetup;
let columns = 0;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), otherInstance.start()]);
  setup = await setupMarkup(otherInstance);
  columns = await writeMarkupEverywhere(otherInstance.there.running.database);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await otherInstance.remove();
});

describe("T-27: a user's input, which stays text wherever it is shown, sent, printed or exported", () => {
  it("runs nowhere on a screen, for no role, and loads nothing", async () => {
    const markedPages = new Set<string>();
    const requests: string[] = [];
    const addressLists = Object.entries(addressesByRole(setup));
    // Two at once: as many as the smallest machine has cores.
    const walk = async () => {
      for (let next = addressLists.shift(); next; next = addressLists.shift()) {
        const [role, addresses] = next;
        const one = await openPage(setup.cast[role as keyof MarkupSetup["cast"]].token, requests);
        for (const address of addresses) await visitAddress(one, address, { markedPages, requests, role });
        await one.context().close();
      }
    };
    await Promise.all([walk(), walk()]);
    console.info(
      `T-27: markup by ${setup.markedCalls.size} calls and in ${columns} columns, seen as text on ${markedPages.size} screens, ${requests.length} times more than text`,
    );
    expect(requests).toEqual([]);
    expect(columns).toBeGreaterThan(80);
    expect(markedPages.size).toBeGreaterThan(20);
  }, 900_000);

  it("runs nowhere in what a guest opens by a link", async () => {
    const requests: string[] = [];
    let read = 0;
    for (const secret of setup.links) {
      const page = await openPage(null, requests);
      await page.goto(`${otherInstance.product.address}${screens.studyShared.path}#${secret}`);
      await page.getByRole("button").last().waitFor();
      await waitUntilQuiet(page);
      await page
        .locator("form button[type=submit], main button")
        .last()
        .click({ timeout: 3000 })
        .catch(() => {});
      await waitUntilQuiet(page);
      requests.push(...(await findInjectedElements(page, "a link")));
      if ((await page.locator("body").innerText()).includes(markupSign)) read += 1;
      await page.context().close();
    }
    expect(requests).toEqual([]);
    expect(read).toBeGreaterThan(0);
  }, 120_000);

  it("does not lead to another site from a notice, whatever address it contains", async () => {
    const { clinicAdmin } = setup.cast;
    const requests: string[] = [];
    const links = [`//${canaryHost}/n`, "javascript:__xss(9)", `https://${canaryHost}/n`, `/\\${canaryHost}/n`];
    await otherInstance.there.running.database.asSystem(async (db) => {
      await sql`delete from notice where user_id = ${clinicAdmin.uid}`.execute(db);
      for (const link of links)
        await sql`insert into notice (id, institution_id, user_id, kind, params, link)
          values (gen_random_uuid(), ${clinicAdmin.iid}, ${clinicAdmin.uid}, 'orderMoved', '{}', ${link})`.execute(db);
    });
    const page = await openPage(clinicAdmin.token, requests);
    for (const at of links.keys()) {
      await page.goto(`${otherInstance.product.address}${screens.iconList.path}`);
      await page
        .getByRole("button", { name: /notif|通知/i })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("button").filter({ hasText: /order/i }).nth(at).click({ timeout: 5000 });
      await waitUntilQuiet(page);
      expect(page.url(), links[at]).toContain(otherInstance.product.address);
    }
    await page.context().close();
    expect(requests).toEqual([]);
  }, 120_000);

  it("runs nowhere in an e-mail", async () => {
    const requests: string[] = [];
    const page = await openPage(null, requests);
    await page.goto(`${otherInstance.product.address}/outbox`);
    requests.push(...(await findInjectedElements(page, "/outbox")));
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
    requests.push(...(await findInjectedElements(page, "a letter")));
    expect(await page.locator("body").innerText()).toContain(markupSign);
    await page.context().close();
    expect(requests).toEqual([]);
  }, 60_000);
});

describe("T-27: an exported file", () => {
  it("contains no formula, script or external link, in tables, prescriptions and documents", async () => {
    const { cast, ids } = setup;
    const { clinicAdmin: clinic, factoryAdmin: lab, afterSalesAdmin: service } = cast;
    const taken = [
      [clinic, await clinic.call("patient.export", {})],
      [clinic, await clinic.call("order.export", {})],
      [clinic, await clinic.call("trail.export", {})],
      [clinic, await clinic.call("dashboard.export", { from: "2026-01-01", to: "2026-12-31" })],
      [lab, await lab.call("order.prescription", { id: ids.order })],
      [service, await service.call("workorder.paper", { id: ids.finished })],
    ] as const;
    const bad: string[] = [];
    let texts = 0;
    for (const [who, { url }] of taken) {
      const answer = await fetch(otherInstance.product.address + url, { headers: { token: who.token } });
      const found = extractContent(Buffer.from(await answer.arrayBuffer()));
      if (found.text.includes("onerror=__xss(")) texts += 1;
      bad.push(...found.executableParts.map((what) => `${url.split("?")[0]}: ${what}`));
    }
    expect(bad).toEqual([]);
    expect(texts).toBeGreaterThan(1);
  }, 120_000);
});

/** Returns the text of a file, and every part of it that would be executed when the file is opened. */
function extractContent(bytes: Buffer): { text: string; executableParts: string[] } {
  if (bytes.subarray(0, 4).toString("latin1") === "%PDF") {
    const text = pdfText(bytes);
    return {
      text,
      executableParts:
        text.match(/\/(JavaScript|JS|URI|Launch|OpenAction|AA|EmbeddedFile|SubmitForm|GoToR|RichMedia)\b/g) ?? [],
    };
  }
  if (bytes.readUInt32LE(0) === 0x04034b50) {
    const text = readArchiveText(bytes, "xl/worksheets/sheet1.xml").replace(/&lt;/g, "<");
    return { text, executableParts: text.match(/<f[ >]|t="str"|<hyperlink/g) ?? [] };
  }
  const text = bytes.toString();
  expect(text.startsWith("\uFEFF")).toBe(true);
  return { text, executableParts: text.match(/(^|,|\n)"?[=+@\t][^,\n]*/g) ?? [] };
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
      // This is an image, or text that is not compressed.
    }
  }
  return parts.join("\n");
}

/**
 * Each role opens these addresses: every screen once, including the seeded records; in the full size, every role opens
 * every screen that it may.
 */
function addressesByRole({ ids, cast }: MarkupSetup): Record<string, string[]> {
  const queries: Partial<Record<ScreenName, string>> = {
    patientDetail: `id=${ids.patient}`,
    orderDetail: `id=${ids.order}`,
    reportDetail: `id=${ids.report}`,
    viewer: `study=${ids.study}`,
    cephViewer: `study=${ids.film}&item=${ids.filmItem}`,
    cephOver: `patient=${ids.patient}`,
    compare: `patient=${ids.patient}&left=${ids.study}&right=${ids.film}`,
    filmMount: `patient=${ids.patient}`,
    photoSeries: `patient=${ids.patient}`,
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
  const addressLists: Record<string, string[]> = {};
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
        screen.access === "anyone" || screen.access === "signedIn" || hasAccess(screen.access, cast[role].role);
      const again = taken.has(name) && !(role === "factoryAdmin" && /^(order|relation|member)/.test(name));
      if (!open || (again && !isFull)) continue;
      taken.add(name);
      const query = queries[name];
      (addressLists[role] ??= []).push(query ? `${screen.path}?${query}` : screen.path);
    }
  addressLists["clinicAdmin"].push(`${screens.viewer.path}?study=${ids.model}`, "/docs");
  return addressLists;
}

/**
 * Opens a separate browser that records script execution, dialogs, policy violations and requests to the canary's host.
 */
async function openPage(token: string | null, requests: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  if (token) await context.addCookies([{ name: "Admin-Token", value: token, url: otherInstance.product.address }]);
  await context.exposeFunction("__xss", (place: unknown) => requests.push(`script ${String(place)}`));
  await context.route(
    (url) => url.hostname.includes("canary"),
    (route) => {
      requests.push(`request: ${route.request().url()} from ${route.request().frame().url()}`);
      return route.abort();
    },
  );
  context.on("dialog", (dialog) => {
    requests.push(`dialog at ${dialog.page()?.url()}`);
    void dialog.dismiss();
  });
  const page = await context.newPage();
  watchRequests(page);
  const consoleProblems = await watchConsole(page);
  page.on("close", () => requests.push(...consoleProblems.filter((line) => /^blocked|__xss/.test(line))));
  return page;
}

interface PageFindings {
  markedPages: Set<string>;
  requests: string[];
  role: string;
}
async function visitAddress(page: Page, address: string, { markedPages, requests, role }: PageFindings): Promise<void> {
  await page.goto(otherInstance.product.address + address);
  await waitUntilQuiet(page);
  const tabs = await page.locator("main [role=tab]").count();
  for (let at = -1; at < Math.min(tabs, isFull ? 20 : 8); at++) {
    if (at >= 0) {
      await page
        .locator("main [role=tab]")
        .nth(at)
        .click({ timeout: 1000 })
        .catch(() => {});
      await waitUntilQuiet(page);
    }
    requests.push(...(await findInjectedElements(page, `${address} as ${role}`)));
    if ((await page.locator("body").innerText()).includes(markupSign)) markedPages.add(new URL(page.url()).pathname);
  }
}

/** Finds elements that only seeded text can have created. */
const findInjectedElements = async (page: Page, where: string): Promise<string[]> =>
  (
    await page.evaluate(
      (host) =>
        [
          ...document.querySelectorAll(
            `[src*="${host}"], [href*="${host}"]:not([href^="mailto:"]), [onerror], [onload], [onclick], a[href^="javascript:" i]`,
          ),
        ].map((element) => element.outerHTML.slice(0, 200)),
      canaryHost,
    )
  ).map((html) => `${where}: ${html}`);
