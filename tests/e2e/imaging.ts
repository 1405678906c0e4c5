import path from "node:path";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { readStl } from "@arcada/imaging/mesh/stl";
import { triangleCount, volumeOf, weld } from "@arcada/imaging/mesh/mesh";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import { boxOf, changes, isDrawn } from "./pixels.ts";
import type { Material } from "./material.ts";
import type { Person } from "./person.ts";

/** A new patient by the form; answers with the address of the patient's page. */
export async function createsPatient(person: Person, { name, sex, birthDate }: Material["patient"]): Promise<string> {
  await person.goes("/patientList");
  await person.button("patient.new").first().click();
  await person.field("patient.field.name").fill(name);
  const form = person.page.getByRole("dialog");
  await form
    .getByRole("radiogroup", { name: person.t("patient.field.sex") })
    .getByText(person.t(`common.sex.${sex}`), { exact: true })
    .click();
  await person.field("patient.field.birthDate").fill(birthDate);
  await person.shoots("patient-form");
  await person.button("common.save").click();
  await person.page.waitForURL((url) => url.pathname === "/patientDetail/page");
  await person.sees(person.page.getByRole("heading", { name }));
  return person.page.url().slice(person.address.length);
}

/** Hands in every file at once and waits until the server has taken them in. */
export async function uploads(person: Person, material: Material): Promise<void> {
  const files = [material.panorama.file, material.ceph.file, material.ct.file, ...material.scans.files];
  await choosesFiles(person, files);
  if (material.foreign > 0) {
    const file = path.basename(material.ct.file);
    await person.page
      .getByText(person.t("study.question.title", { count: material.foreign }))
      .first()
      .waitFor({ timeout: 90_000 });
    await person.shoots("upload-question");
    await person.button("study.question.addOne", { file }).first().click();
    await person.sees(person.text("study.question.title", { count: material.foreign - 1 }));
    await person.button("study.question.addOne", { file }).click();
  }
  await person.page
    .getByText(new RegExp(person.t("study.outcome.done", { count: material.studies })))
    .waitFor({ timeout: 90_000 });
}

export const choosesFiles = (person: Person, files: string[], within: Locator | Page = person.page): Promise<void> =>
  within.locator("input[type=file]:not([webkitdirectory])").first().setInputFiles(files);

/**
 * Checks that each of the four studies appears in the collection under its kind, with its image and its header's texts.
 */
export async function recognises(person: Person, material: Material): Promise<void> {
  const { panorama, ceph, ct } = material;
  for (const { kind, header } of [panorama, ceph, ct, { kind: "model" as const, header: [] }]) {
    const card = cardOf(person, kind);
    await card.waitFor();
    const picture = card.locator("xpath=ancestor::li").first().locator("img");
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), {
        timeout: 60_000,
        message: `${kind} has no picture`,
      })
      .toBeGreaterThan(30);
    if (header.length === 0) continue;
    await person.page
      .getByRole("button", { name: actionsOf(person, kind) })
      .first()
      .click();
    await person.page.getByRole("menuitem", { name: person.t("study.details") }).click();
    const drawer = person.page.getByRole("dialog");
    for (const words of header) await person.sees(drawer.getByText(words));
    if (kind === "ct") await person.shoots("study-details");
    await drawer.getByRole("button", { name: person.t("common.close"), exact: true }).click();
    await drawer.waitFor({ state: "hidden" });
  }
}

export const cardOf = (person: Person, kind: StudyKind, place = 0): Locator =>
  person.page.getByRole("link", { name: endingWith(person, "study.open", kind) }).nth(place);
const actionsOf = (person: Person, kind: StudyKind): RegExp => endingWith(person, "study.actions", kind);
/** The text with any day in it. */
function endingWith(person: Person, key: string, kind: StudyKind): RegExp {
  const text = person.t(key, { kind: person.t(`study.kind.${kind}`), day: "DAY" });
  return new RegExp(`^${text.replace("DAY", "\\d{4}-\\d{2}-\\d{2}")}$`);
}

/**
 * On the panorama: dragging changes the brightness, the wheel zooms, the pan tool moves it, and a length equals its
 * pixels times the spacing.
 */
export async function readsPanorama(
  person: Person,
  patientPage: string,
  { spacing }: Material["panorama"],
): Promise<void> {
  await opens(person, patientPage, "panorama");
  const pane = person.page.locator("canvas").first();
  await isDrawn(pane);
  await person.shoots("panorama", { alsoIn: ["en"] });
  await changes(pane, () => drags(person, pane, 120, 60));
  await changes(pane, () => person.page.mouse.wheel(0, -300));
  await tool(person, "viewer.tool.pan").click();
  await changes(pane, () => drags(person, pane, 90, 40));
  await tool(person, "viewer.reset").click();
  await tool(person, "viewer.actualSize").click();
  await tool(person, "viewer.tool.length").click();
  // One pixel of the picture is one of the screen here.
  const length = 200;
  await drags(person, pane, length, 0);
  const unit =
    spacing === null
      ? person.t("viewer.unit.px", { value: length })
      : person.t("viewer.unit.mm", { value: (length * spacing).toFixed(2) });
  await person.sees(person.page.getByText(unit, { exact: true }));
  await person.sees(person.text("viewer.marks.saved"));
  await person.shoots("panorama-measured");
  await notesAndCalibrates(person, pane, length);
  await person.page.reload();
  await person.sees(person.page.getByText(unitOf(person, known), { exact: true }));
  await person.sees(person.page.getByText(note, { exact: true }));
}

const note = "Karies?";
/** The true length in mm that the dentist enters for the measured line. */
const known = 12.5;
const unitOf = (person: Person, mm: number): string => person.t("viewer.unit.mm", { value: mm.toFixed(2) });

/** An arrow gets a label; a line of known length calibrates the image, and the earlier measurement is updated. */
async function notesAndCalibrates(person: Person, pane: Locator, length: number): Promise<void> {
  const { keyboard } = person.page;
  await keyboard.press("n");
  await drags(person, pane, 60, 200);
  await keyboard.type(note);
  await keyboard.press("Enter");
  await keyboard.press("k");
  await drags(person, pane, length, 120);
  await keyboard.type(String((known * Math.hypot(length, 120)) / length));
  await keyboard.press("Enter");
  await person.sees(person.page.getByText(unitOf(person, known), { exact: true }));
  await person.sees(person.text("viewer.marks.saved"));
  await person.shoots("panorama-calibrated");
}

/** The CT: three planes are drawn, scrolling goes through them, and the full data arrive. */
export async function readsCt(person: Person, patientPage: string, { slices, card }: Material["ct"]): Promise<void> {
  await opens(person, patientPage, "ct", card);
  const planes = (["axial", "coronal", "sagittal"] as const).map((name) =>
    person.page.getByRole("group", { name: person.t(`viewer.plane.${name}`), exact: true }),
  );
  for (const plane of planes) await isDrawn(plane);
  await person.page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor({ timeout: 90_000 });
  await person.sees(planes[0]!.getByText(new RegExp(`/ ${slices}$`)));
  await person.shoots("ct");
  for (const plane of planes) {
    await plane.hover();
    await changes(plane, () => person.page.mouse.wheel(0, 700));
  }
}

/** The CT from outside: it is drawn when asked for, turns, sets the crosshair by a click, and its surface leaves as a closed STL. */
export async function readsRendering(person: Person, patientPage: string, { card }: Material["ct"]): Promise<void> {
  const { page } = person;
  await opens(person, patientPage, "ct", card);
  await page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor({ timeout: 90_000 });
  await tool(person, "viewer.layout.title").click();
  await page.getByRole("menuitem", { name: person.t("viewer.layout.volume"), exact: true }).click();
  await person.button("viewer.render.ask").click();
  const pane = page.getByRole("group", { name: person.t("viewer.pane.render"), exact: true });
  await isDrawn(pane);
  await changes(pane, () => pane.press("3"));
  const axial = page.getByRole("group", { name: person.t("viewer.plane.axial"), exact: true });
  await changes(axial, () => pane.press("Enter"), 0.2);
  await person.shoots("ct-rendered");
  await tool(person, "viewer.render.export.title").click();
  await person.button("viewer.render.export.start").click();
  const file = page.waitForEvent("download");
  await person.button("viewer.render.export.save").click();
  const mesh = weld(readStl(new Uint8Array(readFileSync(await (await file).path()))));
  expect(triangleCount(mesh)).toBeGreaterThan(20_000);
  expect(volumeOf(mesh) / 1000).toBeGreaterThan(50);
  expect(volumeOf(mesh) / 1000).toBeLessThan(600);
}

/** The scans: both are drawn, and each can be hidden. */
export async function readsScans(person: Person, patientPage: string, names: string[]): Promise<void> {
  await opens(person, patientPage, "model");
  const stage = person.page.getByRole("group", { name: person.t("viewer.kind.models"), exact: true });
  await isDrawn(stage);
  for (const name of names) await person.sees(person.button("viewer.models.hide", { name }));
  await person.shoots("scans");
  for (const name of names) await changes(stage, () => person.button("viewer.models.hide", { name }).click());
  await changes(stage, () => person.button("viewer.models.show", { name: names[0]! }).click());
}

async function opens(person: Person, patientPage: string, kind: StudyKind, card = 0): Promise<void> {
  await person.goes(patientPage);
  await cardOf(person, kind, card).click();
  await person.page.waitForURL((url) => url.searchParams.has("study"));
}
const tool = (person: Person, key: string): Locator =>
  person.page.getByRole("toolbar").getByRole("button", { name: person.t(key), exact: true });

/** From left of the middle to the right. */
async function drags(person: Person, what: Locator, byX: number, byY: number): Promise<void> {
  const { x, y, width, height } = await boxOf(what);
  const [fromX, fromY] = [Math.round(x + width / 2 - byX / 2), Math.round(y + height / 2 - byY / 2)];
  await person.page.mouse.move(fromX, fromY);
  await person.page.mouse.down();
  await person.page.mouse.move(fromX + byX / 2, fromY + byY / 2, { steps: 3 });
  await person.page.mouse.move(fromX + byX, fromY + byY, { steps: 3 });
  await person.page.mouse.up();
}
