import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Product } from "../product.ts";
import type { HealthWorld, ModelServer } from "./health-world.ts";
import { axeFaults, lasting } from "./looking.ts";
import { narrow, Person, wide } from "./person.ts";

export const email = "health@clinic.test";
export const pictures = path.join(import.meta.dirname, "screenshots/health");

/** A member of the clinic who walks through a patient's pages and keeps a screenshot of each. */
export class Walk {
  readonly browser: Browser;
  readonly product: Product;
  readonly world: HealthWorld;
  readonly models: ModelServer;
  /** By name: passkeys belong to a name, never to a number. */
  readonly address: string;
  constructor(browser: Browser, product: Product, world: HealthWorld, models: ModelServer) {
    this.browser = browser;
    this.product = product;
    this.world = world;
    this.models = models;
    this.address = `http://localhost:${product.port}`;
  }

  async sits(language: "zh" | "en", more: Parameters<typeof Person.sitsDown>[3] = {}): Promise<Person> {
    const person = await Person.sitsDown(this.browser, this.address, language, more);
    person.context.setDefaultTimeout(60_000);
    await person.context.addCookies([{ name: "Admin-Token", value: this.world.token, url: this.address }]);
    return person;
  }
  tab = (name: string, patient = this.world.patient): string => `/patientDetail/page?id=${patient}&tab=${name}`;

  /** The page wide and narrow, in both languages where no dialog is in the way; usable by everybody. */
  async sees(person: Person, name: string, languages: ("zh" | "en")[] = ["en", "zh"]): Promise<void> {
    for (const language of languages) {
      // On a telephone the language is changed elsewhere.
      await person.page.setViewportSize(wide);
      await person.speaks(language);
      for (const size of [narrow, wide]) {
        await person.page.setViewportSize(size);
        await this.keeps(person, `${name}-${language}-${size.width}`);
        expect(await lasting(() => person.scrollsSideways()), `${name} ${size.width}`).toEqual([]);
      }
    }
    expect(await lasting(() => axeFaults(person.page, "main", "[role=dialog]")), name).toEqual([]);
  }
  async keeps(person: Person, name: string): Promise<void> {
    mkdirSync(pictures, { recursive: true });
    await person.page.evaluate(() => scrollTo(0, 0));
    await person.settles();
    await person.page.waitForTimeout(300);
    await person.page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true, animations: "disabled" });
  }

  /** A report on paper, its pages as pictures, and its words. */
  async paper(id: string, lang: "zh" | "en", name: string): Promise<string> {
    mkdirSync(pictures, { recursive: true });
    const { url } = await this.product.gets(reportCalls.paper, { id, lang }, { token: this.world.token });
    const file = path.join(pictures, `${name}-${lang}.pdf`);
    const bytes = Buffer.from(await (await fetch(this.product.address + url)).arrayBuffer());
    expect(bytes.length).toBeLessThan(3_000_000);
    writeFileSync(file, bytes);
    execFileSync("pdftoppm", ["-r", "60", "-png", file, file.slice(0, -4)]);
    return execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  }
}
