import path from "node:path";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { readStl } from "@arcada/imaging/mesh/read-stl";
import { countTriangles, computeEnclosedVolume, weld } from "@arcada/imaging/mesh/mesh";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import { getBox, expectImageChange, waitUntilDrawn } from "../support/screen-pixels.ts";
import { chooseTool, enterMode, toolButton } from "./choose-tool.ts";
import { chooseLayout } from "./volume-steps.ts";
import type { TestFiles } from "../support/test-files.ts";
import type { BrowserUser } from "../support/browser-user.ts";

/** A new patient by the form; answers with the address of the patient's page. */
export async function createPatient(
  person: BrowserUser,
  { name, sex, birthDate }: TestFiles["patient"],
): Promise<string> {
  await person.goTo("/patientList");
  await person.button("patient.new").first().click();
  await person.field("patient.field.name").fill(name);
  const form = person.page.getByRole("dialog");
  await form
    .getByRole("radiogroup", { name: person.t("patient.field.sex") })
    .getByText(person.t(`common.sex.${sex}`), { exact: true })
    .click();
  await person.field("patient.field.birthDate").fill(birthDate);
  await person.takeScreenshots("patient-form");
  await person.button("common.save").click();
  await person.page.waitForURL((url) => url.pathname === "/patientDetail/page");
  await person.waitFor(person.page.getByRole("heading", { name }));
  return person.page.url().slice(person.address.length);
}

/** Uploads all files at once and waits until the server has imported them. */
export async function uploadFiles(person: BrowserUser, testFiles: TestFiles): Promise<void> {
  const files = [testFiles.panorama.file, testFiles.ceph.file, testFiles.ct.file, ...testFiles.scans.files];
  await chooseFiles(person, files);
  if (testFiles.foreignStudies > 0) {
    const file = path.basename(testFiles.ct.file);
    await person.page
      .getByText(person.t("study.question.title", { count: testFiles.foreignStudies }))
      .first()
      .waitFor({ timeout: 90_000 });
    await person.takeScreenshots("upload-question");
    await person.button("study.question.addOne", { file }).first().click();
    await person.waitFor(person.text("study.question.title", { count: testFiles.foreignStudies - 1 }));
    await person.button("study.question.addOne", { file }).click();
  }
  await person.page
    .getByText(new RegExp(person.t("study.outcome.done", { count: testFiles.studies })))
    .waitFor({ timeout: 90_000 });
}

export const chooseFiles = (
  person: BrowserUser,
  files: string[],
  within: Locator | Page = person.page,
): Promise<void> => within.locator("input[type=file]:not([webkitdirectory])").first().setInputFiles(files);

/**
 * Checks that each of the four studies appears in the collection under its kind, with its image and its header's texts.
 */
export async function checkRecognition(person: BrowserUser, testFiles: TestFiles): Promise<void> {
  const { panorama, ceph, ct } = testFiles;
  for (const { kind, header } of [panorama, ceph, ct, { kind: "model" as const, header: [] }]) {
    const card = studyCard(person, kind);
    await card.waitFor();
    const image = card.locator("xpath=ancestor::li").first().locator("img");
    await expect
      .poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth), {
        timeout: 60_000,
        message: `${kind} has no picture`,
      })
      .toBeGreaterThan(30);
    if (header.length === 0) continue;
    await person.page
      .getByRole("button", { name: studyActionsName(person, kind) })
      .first()
      .click();
    await person.page.getByRole("menuitem", { name: person.t("study.details") }).click();
    const drawer = person.page.getByRole("dialog");
    for (const words of header) await person.waitFor(drawer.getByText(words));
    if (kind === "ct") await person.takeScreenshots("study-details");
    await drawer.getByRole("button", { name: person.t("common.close"), exact: true }).click();
    await drawer.waitFor({ state: "hidden" });
  }
}

export const studyCard = (person: BrowserUser, kind: StudyKind, place = 0): Locator =>
  person.page.getByRole("link", { name: namePattern(person, "study.open", kind) }).nth(place);
const studyActionsName = (person: BrowserUser, kind: StudyKind): RegExp => namePattern(person, "study.actions", kind);
/** The text with any day in it. */
function namePattern(person: BrowserUser, key: string, kind: StudyKind): RegExp {
  const text = person.t(key, { kind: person.t(`study.kind.${kind}`), day: "DAY" });
  return new RegExp(`^${text.replace("DAY", "\\d{4}-\\d{2}-\\d{2}")}$`);
}

/**
 * On the panorama: dragging changes the brightness, the wheel zooms, the pan tool moves it, and a length equals its
 * pixels times the spacing.
 */
export async function checkPanorama(
  person: BrowserUser,
  patientPage: string,
  { spacing }: TestFiles["panorama"],
): Promise<void> {
  await openStudy(person, patientPage, "panorama");
  const viewport = person.page.locator("canvas").first();
  await waitUntilDrawn(viewport);
  await person.takeScreenshots("panorama", { alsoIn: ["en"] });
  await expectImageChange(viewport, () => drag(person, viewport, 120, 60));
  await expectImageChange(viewport, () => person.page.mouse.wheel(0, -300));
  await toolButton(person, "viewer.tool.pan").click();
  await expectImageChange(viewport, () => drag(person, viewport, 90, 40));
  for (const key of ["viewer.reset", "viewer.actualSize"]) await chooseTool(person, key);
  await enterMode(person, "measure");
  await toolButton(person, "viewer.tool.length").click();
  // One pixel of the image is one pixel of the screen here.
  const length = 200;
  await drag(person, viewport, length, 0);
  const unit =
    spacing === null
      ? person.t("viewer.unit.px", { value: length })
      : person.t("viewer.unit.mm", { value: (length * spacing).toFixed(2) });
  await person.waitFor(person.page.getByText(unit, { exact: true }));
  await person.waitFor(person.text("viewer.marks.saved"));
  await person.takeScreenshots("panorama-measured");
  await annotateAndCalibrate(person, viewport, length);
  await person.page.reload();
  await person.waitFor(person.page.getByText(lengthText(person, knownMm), { exact: true }));
  await person.waitFor(person.page.getByText(note, { exact: true }));
}

const note = "Karies?";
/** The true length in mm that the dentist enters for the measured line. */
const knownMm = 12.5;
const lengthText = (person: BrowserUser, mm: number): string => person.t("viewer.unit.mm", { value: mm.toFixed(2) });

/** An arrow gets a label; a line of known length calibrates the image, and the earlier measurement is updated. */
async function annotateAndCalibrate(person: BrowserUser, viewport: Locator, length: number): Promise<void> {
  const { keyboard } = person.page;
  await keyboard.press("n");
  await drag(person, viewport, 60, 200);
  await keyboard.type(note);
  await keyboard.press("Enter");
  await keyboard.press("k");
  await drag(person, viewport, length, 120);
  await keyboard.type(String((knownMm * Math.hypot(length, 120)) / length));
  await keyboard.press("Enter");
  await person.waitFor(person.page.getByText(lengthText(person, knownMm), { exact: true }));
  await person.waitFor(person.text("viewer.marks.saved"));
  await person.takeScreenshots("panorama-calibrated");
}

/** The CT: three planes are drawn, scrolling goes through them, and the full data arrive. */
export async function checkCt(
  person: BrowserUser,
  patientPage: string,
  { slices, cardIndex: card }: TestFiles["ct"],
): Promise<void> {
  await openStudy(person, patientPage, "ct", card);
  await chooseLayout(person, "mpr");
  const planes = (["axial", "coronal", "sagittal"] as const).map((name) =>
    person.page.getByRole("group", { name: person.t(`viewer.plane.${name}`), exact: true }),
  );
  for (const plane of planes) await waitUntilDrawn(plane);
  await person.page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor({ timeout: 90_000 });
  await person.waitFor(planes[0].getByText(new RegExp(`/ ${slices}$`)));
  await person.takeScreenshots("ct");
  for (const plane of planes) {
    await plane.hover();
    await expectImageChange(plane, () => person.page.mouse.wheel(0, 700));
  }
}

/** The CT from outside: it is drawn when asked for, turns, sets the crosshair by a click, and its surface leaves as a closed STL. */
export async function checkRendering(
  person: BrowserUser,
  patientPage: string,
  { cardIndex: card }: TestFiles["ct"],
): Promise<void> {
  const { page } = person;
  await openStudy(person, patientPage, "ct", card);
  await page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor({ timeout: 90_000 });
  await chooseLayout(person, "volume");
  await person.button("viewer.render.ask").click();
  const viewport = page.getByRole("group", { name: person.t("viewer.pane.render"), exact: true });
  await waitUntilDrawn(viewport);
  await expectImageChange(viewport, () => viewport.press("3"));
  const axial = page.getByRole("group", { name: person.t("viewer.plane.axial"), exact: true });
  await expectImageChange(axial, () => viewport.press("Enter"), 0.2);
  await person.takeScreenshots("ct-rendered");
  await person.button("viewer.render.export.title").click();
  await person.button("viewer.render.export.start").click();
  const file = page.waitForEvent("download");
  await person.button("viewer.render.export.save").click();
  const mesh = weld(readStl(new Uint8Array(readFileSync(await (await file).path()))));
  expect(countTriangles(mesh)).toBeGreaterThan(20_000);
  expect(computeEnclosedVolume(mesh) / 1000).toBeGreaterThan(50);
  expect(computeEnclosedVolume(mesh) / 1000).toBeLessThan(600);
}

/** The scans: both are drawn, and each can be hidden. */
export async function checkScans(person: BrowserUser, patientPage: string, names: string[]): Promise<void> {
  await openStudy(person, patientPage, "model");
  const stage = person.page.getByRole("group", { name: person.t("viewer.kind.models"), exact: true });
  await waitUntilDrawn(stage);
  for (const name of names) await person.waitFor(person.button("viewer.models.hide", { name }));
  await person.takeScreenshots("scans");
  for (const name of names) await expectImageChange(stage, () => person.button("viewer.models.hide", { name }).click());
  await expectImageChange(stage, () => person.button("viewer.models.show", { name: names[0] }).click());
}

async function openStudy(person: BrowserUser, patientPage: string, kind: StudyKind, card = 0): Promise<void> {
  await person.goTo(patientPage);
  await studyCard(person, kind, card).click();
  await person.page.waitForURL((url) => url.searchParams.has("study"));
}

/** From left of the middle to the right. */
async function drag(person: BrowserUser, what: Locator, byX: number, byY: number): Promise<void> {
  const { x, y, width, height } = await getBox(what);
  const [fromX, fromY] = [Math.round(x + width / 2 - byX / 2), Math.round(y + height / 2 - byY / 2)];
  await person.page.mouse.move(fromX, fromY);
  await person.page.mouse.down();
  await person.page.mouse.move(fromX + byX / 2, fromY + byY / 2, { steps: 3 });
  await person.page.mouse.move(fromX + byX, fromY + byY, { steps: 3 });
  await person.page.mouse.up();
}
