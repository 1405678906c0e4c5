import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { createTranslator } from "./translations.ts";
import type { Language, Translator } from "./translations.ts";
import { watchConsole } from "./console-watch.ts";
import { present } from "@arcada/testing/require-present";

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };
const timeoutMs = 30_000;
/** In CI, where nobody looks at screenshots afterwards, none are taken, and pages are tested in fewer variants. */
export const isBrief = Boolean(process.env.CI) && process.env.ARCADA_PROOF !== "full";
const folder = path.join(import.meta.dirname, "../screenshots");

/** A user with a separate browser, who navigates by the texts on the screen. */
export class BrowserUser {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly address: string;
  /**
   * Errors and warnings of the page: console messages, uncaught errors, blocked content, responses of 500 and above.
   */
  readonly consoleProblems: string[];
  /** Before the names of screenshots: another pass over the same pages keeps its own, of images alone and in one language. */
  screenshotPrefix = "";
  language: Language;
  t: Translator;
  private constructor(page: Page, address: string, language: Language, consoleProblems: string[]) {
    this.page = page;
    this.context = page.context();
    this.address = address;
    this.language = language;
    this.t = createTranslator(language);
    this.consoleProblems = consoleProblems;
  }

  static async open(
    browser: Browser,
    address: string,
    language: Language = "zh",
    more: {
      hasTouch?: boolean;
      viewport?: typeof wide;
      serviceWorkers?: "allow";
      permissions?: string[];
      reducedMotion?: "no-preference";
    } = {},
  ): Promise<BrowserUser> {
    const context = await browser.newContext({
      viewport: wide,
      // A worker answers before the routes by which a journey replaces responses; its own journey allows it.
      serviceWorkers: "block",
      // Dialogs and menus that fade cost each journey seconds of waiting. Journeys about the focus keep the motion.
      ...(isBrief && { reducedMotion: "reduce" }),
      ...more,
      locale: language === "zh" ? "zh-CN" : "en-GB",
      timezoneId: "Asia/Shanghai",
    });
    context.setDefaultTimeout(timeoutMs);
    const page = await context.newPage();
    return new BrowserUser(page, address, language, await watchConsole(page));
  }

  async goTo(to: string): Promise<void> {
    await this.page.goto(this.address + to);
  }
  button(key: string, values?: Record<string, string | number>): Locator {
    return this.page.getByRole("button", { name: this.t(key, values), exact: true });
  }
  link(key: string, values?: Record<string, string | number>): Locator {
    return this.page.getByRole("link", { name: this.t(key, values), exact: true });
  }
  /** A field by its label, with the star of a necessary one or without. */
  field(key: string, within: Locator | Page = this.page): Locator {
    return within.getByLabel(new RegExp(`^${escaped(this.t(key))}\\s*\\*?$`));
  }
  text(key: string, values?: Record<string, string | number>): Locator {
    return this.page.getByText(this.t(key, values), { exact: true });
  }
  async waitFor(what: Locator): Promise<void> {
    await what.first().waitFor({ state: "visible" });
  }

  async switchLanguage(language: Language): Promise<void> {
    if (language === this.language) return;
    const now = present(this.page.viewportSize());
    // A viewer covers the bar with the language.
    const uncover = this.page.getByRole("button", { name: this.t("viewer.leaveFullWindow", { key: "Esc" }) });
    if (await uncover.isVisible()) await uncover.click();
    const languageButton = this.page.getByRole("button", { name: this.t(`common.languages.${language}`), exact: true });
    if (!(await languageButton.isVisible())) await this.openLanguageDialog();
    await languageButton.click();
    this.language = language;
    this.t = createTranslator(language);
    await this.page.setViewportSize(now);
  }

  /** Opens the choice of languages: on the sign-in pages a button of its own, behind them an entry of a menu. */
  private async openLanguageDialog(): Promise<void> {
    const view = this.viewMenu();
    const own = this.page.getByRole("button", { name: this.t("shell.language") }).first();
    // The bar of a page that is still loading comes late.
    await view.or(own).first().waitFor();
    if (!(await view.isVisible())) return own.click();
    await view.click();
    await this.menuItem("shell.language").click();
  }
  /** The menu with the theme, the layout size, the language, full screen and the speed of the connection. */
  viewMenu(): Locator {
    return this.page.getByRole("button", { name: new RegExp(`^${escaped(this.t("shell.view"))}`) });
  }
  menuItem(key: string): Locator {
    return this.page.getByRole("menuitem", { name: this.t(key), exact: true });
  }

  /** Takes screenshots of the page, wide and narrow, and in the other language if no dialog is open. */
  async takeScreenshots(name: string, { alsoIn = [] }: { alsoIn?: Language[] } = {}): Promise<void> {
    const first = this.language;
    if (this.screenshotPrefix && !imagePages.test(name)) return;
    await this.takeScreenshotsNow(name);
    for (const language of this.screenshotPrefix || isBrief ? [] : alsoIn) {
      await this.switchLanguage(language);
      await this.takeScreenshotsNow(name);
    }
    await this.switchLanguage(first);
  }
  private async takeScreenshotsNow(name: string): Promise<void> {
    for (const size of isBrief ? [wide] : [narrow, wide]) {
      await this.page.setViewportSize(size);
      await this.takeScreenshot(`${this.screenshotPrefix}${name}-${this.language}-${size.width}`);
    }
  }
  async takeScreenshot(file: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    for (const close of await this.page
      .getByRole("status")
      .getByRole("button", { name: this.t("common.close"), exact: true })
      .all())
      await close.click({ timeout: 500 }).catch(() => {});
    await this.page.evaluate(() => scrollTo(0, 0));
    if (isBrief) return;
    await this.waitUntilSettled();
    await this.page.screenshot({ path: path.join(folder, `${file}.png`), fullPage: true, animations: "disabled" });
  }
  /** Waits for two frames without a running transition, so that fading content is visible. */
  async waitUntilSettled(): Promise<void> {
    await this.page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      await Promise.race([
        Promise.allSettled(
          document
            .getAnimations()
            .filter((one) => one.effect?.getTiming().iterations !== Infinity)
            .map((one) => one.finished),
        ),
        new Promise((resolve) => setTimeout(resolve, 700)),
      ]);
      await frame();
    });
  }

  /** Reports by how much the page itself, not a table in it, can be scrolled sideways; empty if it cannot. */
  async findSidewaysScroll(): Promise<string[]> {
    const over = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    return over > 0 ? [`${over} px wider than a screen of ${present(this.page.viewportSize()).width} px`] : [];
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

const imagePages = /^(upload|patient$|panorama|ct|scans)/;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
