import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { annotationTools } from "@arcada/contract/study/annotation";
import { findAxeViolations, findLastingFaults } from "../support/page-checks.ts";
import type { BrowserUser } from "../support/browser-user.ts";
import { chooseTool, searchTool } from "../viewer/choose-tool.ts";
import { getBox } from "../support/screen-pixels.ts";
import { findDarkPlanes } from "../support/dark-planes.ts";
import {
  annotationKindOf,
  type DrawingTool,
} from "../../../apps/web/src/viewer/annotations/annotation-kind-registry.ts";
import { present } from "@arcada/testing/require-present";

const folder = path.join(import.meta.dirname, "../screenshots/gallery");

/** A user who tries every tool of the viewers and keeps a screenshot of each; by touch alone on a touch screen. */
export class GalleryUser {
  readonly person: BrowserUser;
  readonly isTouch: boolean;
  /** The faults that were found on the pages. */
  readonly faults: string[] = [];
  constructor(person: BrowserUser, isTouch: boolean) {
    this.person = person;
    this.isTouch = isTouch;
  }

  /** Keeps a screenshot of the page and checks its accessibility. */
  async capture(name: string): Promise<void> {
    const { page, language } = this.person;
    mkdirSync(folder, { recursive: true });
    await this.person.waitUntilSettled();
    const size = present(page.viewportSize());
    await page.screenshot({ path: path.join(folder, `${size.width}-${language}-${name}.png`) });
    const found = await findLastingFaults(async () => [
      ...(await findAxeViolations(page, "main", "[role=dialog]")),
      ...(await this.person.findSidewaysScroll()),
      ...(await findDarkPlanes(page)),
    ]);
    this.faults.push(...found.map((fault) => `${name} (${language}, ${size.width}): ${fault}`));
  }

  press = (what: Locator): Promise<void> => (this.isTouch ? what.first().tap() : what.first().click());

  /** A page that is busy rendering receives the two events of a tap so late that it treats the tap as a long press. */
  async pressUntilVisible(what: Locator, expected: Locator): Promise<void> {
    for (let time = 0; time < 3; time++) {
      await this.press(what);
      if (
        await expected.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        )
      )
        return;
    }
    throw new Error("what a button opens is not there");
  }

  /** Selects a tool of the bar, or one in the menu of all tools. */
  selectTool = (name: string): Promise<void> => chooseTool(this.person, `viewer.tool.${name}`);

  /** Opens a menu or dialog by its toolbar button or by the menu of all tools, captures it and closes it. */
  async captureMenu(key: string, name: string): Promise<void> {
    const { page, t } = this.person;
    const opened = page.locator("[role=menu]:visible, [role=dialog]:visible").first();
    const button = page.getByRole("toolbar").getByRole("button", { name: t(key), exact: true });
    if ((await button.count()) > 0) await this.pressUntilVisible(button, opened);
    else await searchTool(this.person, t(key));
    // Its content may be loaded only when it is opened.
    await opened.locator(".mantine-Loader-root").first().waitFor({ state: "detached" });
    await this.capture(name);
    await page.keyboard.press("Escape");
  }

  async chooseMenuItem(menu: string, row: string): Promise<void> {
    const { page, t } = this.person;
    await this.press(page.getByRole("toolbar").getByRole("button", { name: t(menu), exact: true }));
    await this.press(page.getByRole("menuitem", { name: new RegExp(`^${t(row).replace(/[()]/g, "\\$&")}`) }));
  }

  /** Taps or clicks at a relative position in a viewport. */
  async pressAt(viewport: Locator, across: number, down: number): Promise<void> {
    const { page } = this.person;
    const { x, y, width, height } = await getBox(viewport);
    const at = [x + width * across, y + height * down] as const;
    if (this.isTouch) return page.touchscreen.tap(...at);
    await page.mouse.click(...at);
  }

  /** Drags from one position in a viewport to another; calls `before` before it releases the pointer. */
  async drag(
    viewport: Locator,
    from: readonly [number, number],
    to: readonly [number, number],
    before: () => Promise<void> = async () => {},
  ): Promise<void> {
    const { page, context } = this.person;
    const { x, y, width, height } = await getBox(viewport);
    const place = ([across, down]: readonly [number, number]) => ({ x: x + width * across, y: y + height * down });
    const [begin, end] = [place(from), place(to)];
    const between = { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
    if (!this.isTouch) {
      await page.mouse.move(begin.x, begin.y);
      await page.mouse.down();
      await page.mouse.move(between.x, between.y);
      await page.mouse.move(end.x, end.y);
      await before();
      return page.mouse.up();
    }
    const session = await context.newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", [begin]);
    await send("touchMove", [between]);
    await send("touchMove", [end]);
    await before();
    await send("touchEnd", []);
    await session.detach();
  }

  /** The drawn annotations, in every viewport that shows them. */
  annotations = (): Locator => this.person.page.locator("svg [role=button][aria-pressed]");

  /** Draws an annotation by its points within a part of a viewport, and fills in the input that it asks for. */
  async draw(tool: DrawingTool, viewport: Locator, part: Part = centrePart): Promise<void> {
    const { page } = this.person;
    const { input: asks } = annotationKindOf(tool);
    const { min: least, max: most } = annotationTools[tool];
    const points = (spots[tool] ?? firstCorners(least)).map(
      ([right, down]) => [part.left + part.width * right, part.top + part.height * down] as const,
    );
    const before = await this.annotations().count();
    for (const [right, down] of points) await this.pressAt(viewport, right, down);
    if (most > least) await this.finishDrawing(viewport, present(points.at(-1)));
    if (asks?.for === "tooth") await this.press(page.getByRole("button", { name: "11", exact: true }));
    else if (asks) {
      const asked = this.person.t(`viewer.editor.${asks.for === "mm" ? "mm" : "words"}`);
      await page.getByRole("textbox", { name: asked, exact: true }).fill("12.5");
      await this.press(page.getByRole("button", { name: this.person.t("viewer.editor.keep"), exact: true }));
    }
    await expect.poll(() => this.annotations().count(), { message: `${tool} is not drawn` }).toBeGreaterThan(before);
  }

  /** An annotation with an open number of points ends with a double click. */
  async finishDrawing(viewport: Locator, [right, down]: readonly [number, number]): Promise<void> {
    const { page } = this.person;
    if (!this.isTouch) {
      const { x, y, width, height } = await getBox(viewport);
      return page.mouse.dblclick(x + width * right, y + height * down);
    }
    // The last point's own tap was the first of the two.
    await this.pressAt(viewport, right, down);
  }
}

interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}
const centrePart: Part = { left: 0.3, top: 0.3, width: 0.4, height: 0.4 };

/** Returns the parts of a viewport, arranged in rows. */
export const gridParts = (columns: number, rows: number): Part[] =>
  Array.from({ length: columns * rows }, (_, at) => ({
    left: 0.06 + ((at % columns) * 0.9) / columns,
    top: 0.1 + (Math.floor(at / columns) * 0.8) / rows,
    width: 0.6 / columns,
    height: 0.5 / rows,
  }));

type Spot = readonly [number, number];
const corners: readonly Spot[] = [
  [0, 0.2],
  [1, 0.3],
  [0.9, 0.9],
  [0.1, 0.8],
];
const firstCorners = (many: number): readonly Spot[] => corners.slice(0, many);
const spots: Partial<Record<DrawingTool, readonly Spot[]>> = {
  path: [
    [0, 0.2],
    [0.5, 0.6],
    [1, 0.3],
  ],
  canal: [
    [0, 0.3],
    [0.5, 0.6],
    [1, 0.4],
  ],
  text: [[0.2, 0.4]],
  tooth: [[0.5, 0.5]],
};
