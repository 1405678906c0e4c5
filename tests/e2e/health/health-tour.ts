import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Product } from "@arcada/testing/setup/product-process";
import type { HealthSetup, ModelServer } from "./health-setup.ts";
import { findAxeViolations, findLastingFaults } from "../support/page-checks.ts";
import { narrow, BrowserUser, wide } from "../support/browser-user.ts";

export const email = "health@clinic.test";
export const screenshotFolder = path.join(import.meta.dirname, "../screenshots/health");

/** A member of the clinic who walks through a patient's pages and keeps a screenshot of each. */
export class HealthTour {
  readonly browser: Browser;
  readonly product: Product;
  readonly setup: HealthSetup;
  readonly models: ModelServer;
  /** By name: passkeys belong to a name, never to a number. */
  readonly address: string;
  constructor(browser: Browser, product: Product, world: HealthSetup, models: ModelServer) {
    this.browser = browser;
    this.product = product;
    this.setup = world;
    this.models = models;
    this.address = `http://localhost:${product.port}`;
  }

  async openBrowser(language: "zh" | "en", more: Parameters<typeof BrowserUser.open>[3] = {}): Promise<BrowserUser> {
    const person = await BrowserUser.open(this.browser, this.address, language, more);
    person.context.setDefaultTimeout(60_000);
    await person.context.addCookies([{ name: "Admin-Token", value: this.setup.token, url: this.address }]);
    return person;
  }
  tab = (name: string, patient = this.setup.patient): string => `/patientDetail/page?id=${patient}&tab=${name}`;

  /** The page wide and narrow, in both languages where no dialog is in the way; usable by everybody. */
  async checkPage(person: BrowserUser, name: string, languages: ("zh" | "en")[] = ["en", "zh"]): Promise<void> {
    for (const language of languages) {
      // On a telephone the language is changed elsewhere.
      await person.page.setViewportSize(wide);
      await person.switchLanguage(language);
      for (const size of [narrow, wide]) {
        await person.page.setViewportSize(size);
        await this.capture(person, `${name}-${language}-${size.width}`);
        expect(await findLastingFaults(() => person.findSidewaysScroll()), `${name} ${size.width}`).toEqual([]);
      }
    }
    expect(await findLastingFaults(() => findAxeViolations(person.page, "main", "[role=dialog]")), name).toEqual([]);
  }
  async capture(person: BrowserUser, name: string): Promise<void> {
    mkdirSync(screenshotFolder, { recursive: true });
    await person.page.evaluate(() => scrollTo(0, 0));
    await person.waitUntilSettled();
    await person.page.waitForTimeout(300);
    await person.page.screenshot({
      path: path.join(screenshotFolder, `${name}.png`),
      fullPage: true,
      animations: "disabled",
    });
  }

  /** Fetches a report as PDF, captures its pages as images and returns its text. */
  async readPdf(id: string, lang: "zh" | "en", name: string, part: "report" | "annex" = "report"): Promise<string> {
    mkdirSync(screenshotFolder, { recursive: true });
    const { url } = await this.product.call(reportCalls.paper, { id, lang, part }, { token: this.setup.token });
    const file = path.join(screenshotFolder, `${name}-${lang}.pdf`);
    const bytes = Buffer.from(await (await fetch(this.product.address + url)).arrayBuffer());
    expect(bytes.length).toBeLessThan(3_000_000);
    writeFileSync(file, bytes);
    execFileSync("pdftoppm", ["-r", "60", "-png", file, file.slice(0, -4)]);
    return execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  }
}
