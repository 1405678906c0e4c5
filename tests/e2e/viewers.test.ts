import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { writeStl } from "@arcada/imaging/mesh/write";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { film } from "@arcada/imaging/phantom/film";
import { makeHead } from "@arcada/imaging/phantom/head";
import { pano } from "@arcada/imaging/phantom/panorama";
import { archScan } from "@arcada/imaging/phantom/scan";
import { madeZip } from "../../apps/server/src/ingest/made-zip.ts";
import {
  arrangementOf,
  layoutNames,
  placeOf,
  placesIn,
  type LayoutName,
} from "../../apps/web/src/viewer/ct/layout/layouts.ts";
import { ingestOver } from "../../demo/ingest-over.ts";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { comesCoarse, outgrowsGraphics } from "./graphics-room.ts";
import { axeFaults, keepsFailures, lasting, looks } from "./looking.ts";
import { Person, narrow, wide } from "./person.ts";
import { placesFilm } from "./mount.ts";
import { boxOf, isDrawn } from "./pixels.ts";
import { pictureTools, worksEveryToolByKeys } from "./tool-keys.ts";
import type { Language } from "./words.ts";

/** Every way of looking, with pictures: outside CI. */
const isFull = process.env["ARCADA_PROOF"] === "full";
const tablet = { width: 1024, height: 768 };
const product = new Product({ LOGIN_STEP_UP: "off" });
let browser: Browser;
let token = "";
let patient = "";
const studies: Record<"panorama" | "ct" | "model" | "film", string> = { panorama: "", ct: "", model: "", film: "" };

beforeAll(async () => {
  // Made before anything waits for an answer: it keeps the processor busy for seconds.
  const files = material();
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register("viewers@clinic.test", "clinicManager");
  const clinic = { name: "Morning", type: "clinic", country: "CN" } as const;
  const { id: iid } = await product.gets(institutionCalls.create, clinic, { token: first });
  ({ token } = await product.gets(institutionCalls.switch, { iid }, { token: first }));
  const person = { name: "王芳", sex: "female", birthDate: "1985-09-09" } as const;
  ({ id: patient } = await product.gets(patientCalls.create, person, { token }));
  [studies.panorama, studies.ct, studies.model, studies.film] = await Promise.all([
    takesIn("panorama.dcm", files.panorama),
    takesIn("ct.zip", files.ct),
    takesIn("lower.stl", files.model),
    takesIn("film.dcm", files.film),
  ]);
}, 300_000);
keepsFailures("viewers", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

function material() {
  const head = makeHead("viewers");
  const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
  const size = { columns: 96, rows: 96, slices: 72, voxel: 1.6 };
  const visit = (key: string) => ({ key, description: key });
  const slices = [...cbctFiles(head, who, { size, study: visit("ct") })];
  return {
    panorama: pano(head, who, visit("panorama")).bytes,
    film: film(head, who).bytes,
    ct: madeZip(slices.map(({ name, bytes }) => ({ name, data: bytes }))),
    model: writeStl(archScan(head, "lower")),
  };
}

async function takesIn(name: string, bytes: Uint8Array): Promise<string> {
  const uploads = [await product.upload(token, name, bytes)];
  const { id } = await product.gets(studyCalls.open, { patientId: patient, uploads }, { token });
  const job = await ingestOver(() => product.gets(studyCalls.job, { id }, { token }));
  return job.studies[0]!;
}

/** A dentist who has signed in already. */
async function dentist(language: Language, more: { hasTouch?: boolean; viewport?: typeof wide } = {}): Promise<Person> {
  const person = await Person.sitsDown(browser, product.address, language, more);
  await person.context.addCookies([{ name: "Admin-Token", value: token, url: product.address }]);
  return person;
}

const tool = ({ page, t }: Person, key: string): Locator =>
  page.getByRole("toolbar").getByRole("button", { name: t(key), exact: true });
const group = ({ page }: Person, name: string): Locator => page.getByRole("group", { name, exact: true });

/** Nobody is shut out, and nothing is wider than the screen; outside CI also a picture. */
async function isGood(person: Person, name: string): Promise<void> {
  if (isFull) return looks(person, `viewers-${name}`);
  const faults = await lasting(async () => [
    ...(await axeFaults(person.page, "main", "[role=dialog]")),
    ...(await person.scrollsSideways()),
  ]);
  expect(faults, name).toEqual([]);
}

async function seesPicture(person: Person): Promise<void> {
  await person.goes(`/viewer?study=${studies.panorama}`);
  await isDrawn(person.page.locator("canvas").first());
  await isGood(person, "picture");
}

async function seesCt(person: Person): Promise<void> {
  await person.goes(`/viewer?study=${studies.ct}`);
  await person.page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor();
}

/** Returns the names of the viewports that a wide screen shows side by side. */
function panesOf({ t }: Person, layout: LayoutName): string[] {
  return placesIn(arrangementOf(layout, wide.width))
    .map(placeOf)
    .filter(({ pane }) => pane !== "data")
    .map(({ pane, side }) => {
      if (pane === "panorama" || pane === "section" || pane === "render") return t(`viewer.pane.${pane}`);
      const plane = t(`viewer.plane.${pane}`);
      return side ? t(`viewer.joint.${side}`, { plane }) : plane;
    });
}

/** Switches through all layouts. */
async function seesLayouts(person: Person): Promise<void> {
  const { page } = person;
  for (const layout of [...layoutNames.slice(1), ...layoutNames.slice(0, 1)]) {
    await page.keyboard.press("y");
    if (page.viewportSize()!.width === wide.width) {
      for (const name of panesOf(person, layout)) await person.sees(group(person, name));
      const drawn = group(
        person,
        panesOf(person, layout).find((name) => name !== person.t("viewer.pane.render"))!,
      );
      await isDrawn(drawn);
      await page.getByText(person.t("viewer.rough"), { exact: true }).first().waitFor({ state: "detached" });
    }
    await isGood(person, `ct-${layout}`);
  }
}

async function seesOthers(person: Person): Promise<void> {
  await person.goes(`/viewer?study=${studies.model}`);
  await isDrawn(group(person, person.t("viewer.kind.models")));
  await isGood(person, "model");
  await person.goes(`${screens.compare.path}?patient=${patient}`);
  await isDrawn(person.page.locator("canvas").first());
  await isGood(person, "compare");
  await person.goes(`${screens.filmMount.path}?patient=${patient}`);
  await person.page.locator("img").first().waitFor();
  await isGood(person, "mount");
}

describe("the viewers", () => {
  it("show every kind of image and every layout to everybody", async () => {
    for (const language of isFull ? (["zh", "en"] as const) : (["zh"] as const))
      for (const viewport of isFull ? [wide, tablet, narrow] : [wide]) {
        const person = await dentist(language, { viewport, hasTouch: viewport !== wide });
        await seesPicture(person);
        await seesCt(person);
        await seesLayouts(person);
        await seesOthers(person);
        expect(person.complaints).toEqual([]);
        await person.leaves();
      }
  });

  it("put every tool into the hand by its key", async () => {
    const person = await dentist("en");
    const { page } = person;
    await person.goes(`/viewer?study=${studies.panorama}`);
    await isDrawn(page.locator("canvas").first());
    for (const [key, name] of [
      ["h", "pan"],
      ["l", "length"],
      ["a", "angle"],
      ["w", "window"],
    ] as const) {
      await page.keyboard.press(key);
      await person.sees(tool(person, `viewer.tool.${name}`).and(page.locator("[aria-pressed=true]")));
    }
    // Without a pointer a length is placed in the middle. It takes the selected colour, and undo reverts the appearance
    // first.
    await page.keyboard.press("l");
    await page.keyboard.press("Enter");
    await person.sees(page.locator("svg text").filter({ hasText: /\d\smm/ }));
    await tool(person, "viewer.marks.colour").click();
    await page.getByRole("button", { name: person.t("viewer.marks.colours.red"), exact: true }).click();
    await page.keyboard.press("Escape");
    await person.sees(person.text("viewer.marks.saved"));
    await page.keyboard.press("i");
    const inverted = tool(person, "viewer.invert");
    await person.sees(inverted.and(page.locator("[aria-pressed=true]")));
    await page.keyboard.press("Control+z");
    await person.sees(inverted.and(page.locator("[aria-pressed=false]")));
    expect(
      await page
        .locator("svg text")
        .filter({ hasText: /\d\smm/ })
        .count(),
    ).toBe(1);
    await page.keyboard.press("Control+Shift+z");
    await person.sees(inverted.and(page.locator("[aria-pressed=true]")));
    expect(person.complaints).toEqual([]);
    await person.leaves();
  });

  it("draw, move, take away and bring back with every tool by keys alone", async () => {
    const person = await dentist("en");
    await person.goes(`/viewer?study=${studies.film}`);
    await isDrawn(person.page.locator("canvas").first());
    await worksEveryToolByKeys(person, pictureTools);
    expect(person.complaints).toEqual([]);
    await person.leaves();
  });

  it("are worked by fingers on a small screen", async () => {
    const person = await dentist("zh", { viewport: narrow, hasTouch: true });
    const { page } = person;
    await seesPicture(person);
    const { x, y, width, height } = await boxOf(page.locator("canvas").first());
    const taps = (right: number, down: number) => page.touchscreen.tap(x + width * right, y + height * down);
    // Points that were placed with another tool do not count.
    await tool(person, "viewer.tool.angle").tap();
    await taps(0.2, 0.3);
    await tool(person, "viewer.tool.length").tap();
    await taps(0.3, 0.4);
    await taps(0.7, 0.5);
    await person.sees(page.locator("svg text").filter({ hasText: /\d\smm/ }));
    await seesCt(person);
    await tool(person, "viewer.layout.title").tap();
    await page.getByRole("menuitem", { name: person.t("viewer.layout.panorama"), exact: true }).tap();
    for (const pane of ["panorama", "section"]) {
      const choice = page.getByRole("radiogroup").getByText(person.t(`viewer.pane.${pane}`), { exact: true });
      // The layout shows its main viewport at once.
      if (pane !== "panorama") await choice.tap();
      await isDrawn(group(person, person.t(`viewer.pane.${pane}`)));
      await isGood(person, `ct-fingers-${pane}`);
    }
    await placesFilm(person, patient);
    await isGood(person, "mount-fingers");
    expect(person.complaints).toEqual([]);
    await person.leaves();
  });

  it("show a volume that is too large at a part of its resolution, and come back when the graphics were lost", async () => {
    const person = await dentist("en");
    await comesCoarse(person, `/viewer?study=${studies.ct}`);
    await person.leaves();
  });

  it("say when the graphics have no room for a volume, and show it more coarsely when they are asked again", async () => {
    const person = await dentist("en");
    await outgrowsGraphics(person, `/viewer?study=${studies.ct}`, () => isGood(person, "ct-no-room"));
    expect(person.complaints).toEqual([]);
    await person.leaves();
  });

  it("ask for the words of a mark in one plane only, and keep them when it is scrolled out of sight", async () => {
    const person = await dentist("en");
    const { page } = person;
    await seesCt(person);
    const axial = group(person, person.t("viewer.plane.axial"));
    await axial.focus();
    await page.keyboard.press("t");
    // Near the middle it is visible in two planes.
    await page.keyboard.press("Enter");
    const asked = page.getByRole("textbox", { name: person.t("viewer.editor.words"), exact: true });
    await asked.first().waitFor();
    expect(await asked.count()).toBe(1);
    await page.keyboard.type("apex");
    const { x, y } = await boxOf(axial);
    await page.mouse.move(x + 30, y + 90);
    await page.mouse.wheel(0, 500);
    await asked.waitFor({ state: "detached" });
    await person.sees(group(person, person.t("viewer.plane.coronal")).locator("svg text").filter({ hasText: "apex" }));
    expect(person.complaints).toEqual([]);
    await person.leaves();
  });

  it("never turn a patient round where words run from right to left", async () => {
    const person = await dentist("en");
    const { page } = person;
    await person.context.addCookies([{ name: "language", value: "ar", url: product.address }]);
    await person.goes(`/viewer?study=${studies.ct}`);
    await page.locator("html[dir=rtl]").waitFor();
    const right = page.getByText("R", { exact: true }).first();
    const left = page.getByText("L", { exact: true }).first();
    const [atRight, atLeft] = [await boxOf(right), await boxOf(left)];
    // The view is from the front of the patient: their right is on the left.
    expect(atRight.x).toBeLessThan(atLeft.x);
    await isGood(person, "ct-arabic");
    expect(person.complaints).toEqual([]);
    await person.leaves();
  });
});
