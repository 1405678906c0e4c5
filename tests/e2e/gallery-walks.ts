import type { Locator } from "playwright-core";
import { expect } from "vitest";
import type { DrawnTool } from "../../apps/web/src/viewer/marks/kind.ts";
import {
  arrangementOf,
  layoutNames,
  placeOf,
  placesIn,
  type LayoutName,
} from "../../apps/web/src/viewer/ct/layout/layouts.ts";
import { renderPresets } from "../../apps/web/src/viewer/ct/render/presets.ts";
import { partsOf, type Hand } from "./gallery-hand.ts";
import type { GalleryWorld } from "./gallery-world.ts";
import { isDrawn } from "./pixels.ts";

export const paneOf = ({ person }: Hand, key: string, values?: Record<string, string | number>): Locator =>
  person.page.getByRole("group", { name: person.t(key, values), exact: true });

const pictureMarks = [
  ["length", "angle", "path", "cobb"],
  ["ratio", "profile", "ellipse", "rectangle"],
  ["calibration", "arrow", "text", "tooth"],
] as const;

/** The picture with each of its tools. */
export async function seesPicture(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  const { page } = hand.person;
  await hand.person.goes(`/viewer?study=${studies.panorama}`);
  const pane = page.locator("canvas").first();
  await isDrawn(pane);
  await hand.keeps("picture");
  for (const tools of pictureMarks) {
    await drawsAll(hand, pane, tools, 2);
    await hand.keeps(`picture-${tools.join("-")}`);
    await undoes(hand, tools.length);
  }
  await hand.takes("lens");
  // On a touch screen the magnifier is visible only during the touch.
  await hand.drags(pane, [0.45, 0.5], [0.5, 0.5], () => hand.keeps("picture-lens"));
  for (const tool of ["zoomBox", "rotate", "window"]) {
    await hand.takes(tool);
    await hand.drags(pane, [0.4, 0.4], [0.6, 0.55]);
    await hand.keeps(`picture-${tool}`);
  }
  await hand.presses(
    page.getByRole("toolbar").getByRole("button", { name: hand.person.t("viewer.reset"), exact: true }),
  );
  for (const [key, name] of [
    ["viewer.group.hand", "hand"],
    ["viewer.group.more", "more"],
    ["viewer.group.notes", "notes"],
    ["viewer.window.presets", "presets"],
    ["viewer.look.title", "look"],
    ["viewer.group.view", "view"],
    ["viewer.marks.colour", "colours"],
    ["viewer.versions.title", "versions"],
    ["viewer.export.title", "export"],
  ] as const)
    await hand.opens(key, `picture-menu-${name}`).catch(missing(hand, `picture-menu-${name}`));
  await hand.presses(
    page.getByRole("toolbar").getByRole("button", { name: hand.person.t("viewer.marks.title"), exact: true }),
  );
  await hand.keeps("picture-list");
}

const missing =
  ({ faults }: Hand, name: string) =>
  (error: unknown): void =>
    void faults.push(`${name}: ${String(error).slice(0, 300)}`);

async function drawsAll(hand: Hand, pane: Locator, tools: readonly DrawnTool[], columns: number): Promise<void> {
  const parts = partsOf(columns, Math.ceil(tools.length / columns));
  for (const [at, tool] of tools.entries()) {
    await hand.takes(tool);
    await hand.draws(tool, pane, parts[at]);
  }
}

export async function undoes(hand: Hand, times: number): Promise<void> {
  const { page, t } = hand.person;
  await page.keyboard.press("Escape");
  for (let time = 0; time < times; time++)
    await hand.presses(page.getByRole("toolbar").getByRole("button", { name: t("viewer.undo"), exact: true }));
  // Each mark was one step.
  await expect.poll(() => hand.marks().count()).toBe(0);
}

/** The volume in every layout; one pane after another where there is room for one only. */
export async function seesLayouts(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  const { person } = hand;
  await opensCt(hand, studies.ct);
  for (const layout of layoutNames) {
    await hand.chooses("viewer.layout.title", `viewer.layout.${layout}`);
    await drawn(hand);
    await hand.keeps(`ct-${layout}`);
    if (person.page.viewportSize()!.width < 640) await seesPlaces(hand, layout);
  }
}

export async function opensCt({ person }: Hand, study: string): Promise<void> {
  await person.goes(`/viewer?study=${study}`);
  await person.page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor();
}

/** Nothing that is still put together, and no rough picture. */
export async function drawn({ person }: Hand): Promise<void> {
  const asks = person.button("viewer.render.ask");
  if (await asks.isVisible()) await asks.click();
  await isDrawn(person.page.locator("canvas").first());
  await person.page
    .getByText(person.t("viewer.rough"), { exact: true })
    .first()
    .waitFor({ state: "detached", timeout: 60_000 });
  await person.page.waitForTimeout(600);
}

async function seesPlaces(hand: Hand, layout: LayoutName): Promise<void> {
  const { page, t } = hand.person;
  const places = placesIn(arrangementOf(layout, 390));
  const select = page.getByRole("combobox", { name: t("viewer.layout.place") });
  for (const place of places) {
    const { pane } = placeOf(place);
    if (await select.isVisible()) await select.selectOption(place);
    else await hand.presses(page.getByRole("radiogroup").getByText(t(`viewer.pane.${pane}`), { exact: true }));
    await drawn(hand);
    await hand.keeps(`ct-${layout}-${place}`);
  }
}

async function seesPlace(hand: Hand, pane: string): Promise<void> {
  const { page, t } = hand.person;
  if (page.viewportSize()!.width >= 640) return;
  await hand.presses(page.getByRole("radiogroup").getByText(t(`viewer.pane.${pane}`), { exact: true }));
}

const planeMarks = [
  ["length", "path", "angle", "cobb"],
  ["ratio", "profile", "ellipse", "rectangle"],
  ["arrow", "text"],
] as const;

/** Every tool of the planes. */
export async function seesPlaneTools(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  await opensCt(hand, studies.ct);
  await hand.chooses("viewer.layout.title", "viewer.layout.mpr");
  const axial = paneOf(hand, "viewer.plane.axial");
  await isDrawn(axial);
  for (const tools of planeMarks) {
    await drawsAll(hand, axial, tools, 2);
    await hand.keeps(`ct-${tools.join("-")}`);
    await undoes(hand, tools.length);
  }
  await hand.takes("cross");
  await hand.touches(axial, 0.4, 0.35);
  await hand.keeps("ct-cross");
  for (const tool of ["window", "pan", "scroll"]) {
    await hand.takes(tool);
    await hand.drags(axial, [0.45, 0.4], [0.55, 0.6]);
    await drawn(hand);
    await hand.keeps(`ct-${tool}`);
  }
  for (const [key, name] of [
    ["viewer.layout.title", "layout"],
    ["viewer.window.presets", "presets"],
    ["viewer.window.typed", "window"],
    ["viewer.slab.title", "slab"],
    ["viewer.turn.title", "turn"],
    ["viewer.arch.panel", "arch"],
    ["viewer.render.airway.title", "airway"],
    ["viewer.marks.colour", "colours"],
    ["viewer.export.title", "export"],
  ] as const)
    await hand.opens(key, `ct-menu-${name}`).catch(missing(hand, `ct-menu-${name}`));
  await hand.takes("cross");
  await hand.person.page.keyboard.press("Shift+X");
  await drawn(hand);
  await hand.keeps("ct-turned");
}

/** The arch, the panorama along it, canal and implant, and what is measured on them. */
export async function seesPlan(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  await opensCt(hand, studies.ct);
  await hand.chooses("viewer.layout.title", "viewer.layout.panorama");
  await seesPlace(hand, "panorama");
  const panorama = paneOf(hand, "viewer.pane.panorama");
  await isDrawn(panorama);
  await drawsAll(hand, panorama, ["length", "angle"], 2);
  await hand.takes("canal");
  await hand.draws("canal", panorama, { left: 0.15, top: 0.6, width: 0.25, height: 0.15 });
  await hand.takes("implant");
  const section = hand.person.page.locator("[aria-current=true][role=group]");
  await seesPlace(hand, "section");
  await hand.draws("implant", section.first(), { left: 0.5, top: 0.45, width: 0.05, height: 0.3 });
  await drawn(hand);
  await hand.keeps("ct-plan-section");
  await hand.takes("length");
  await hand.draws("length", section.first());
  await hand.keeps("ct-plan-section-length");
  await seesPlace(hand, "panorama");
  await drawn(hand);
  await hand.keeps("ct-plan-panorama");
  await hand.takes("arch");
  await seesPlace(hand, "axial");
  await drawn(hand);
  await hand.keeps("ct-plan-arch");
  await hand.opens("viewer.arch.panel", "ct-plan-panel");
}

/** The volume rendering: modes, clipping, the airway, a scan next to it, the surface as a file. */
export async function seesRendering(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  const { person } = hand;
  const { page, t } = person;
  await opensCt(hand, studies.ct);
  await hand.chooses("viewer.layout.title", "viewer.layout.volume");
  await drawn(hand);
  const pane = paneOf(hand, "viewer.pane.render");
  for (const preset of renderPresets) {
    await hand.chooses("viewer.render.preset.title", `viewer.render.preset.${preset}`);
    await drawn(hand);
    await hand.keeps(`ct-render-${preset}`);
  }
  await hand.opens("viewer.render.clip.title", "ct-render-clip");
  await hand.opens("viewer.render.view.title", "ct-render-views");
  await hand.opens("viewer.render.export.title", "ct-render-export");
  await hand.presses(page.getByRole("toolbar").getByRole("button", { name: t("viewer.render.airway.title") }));
  await hand.presses(person.button("viewer.render.airway.start"));
  await page.waitForTimeout(2500);
  await hand.keeps("ct-airway");
  // On a touch screen a tap outside closes a panel.
  await hand.touches(pane, 0.04, 0.85);
  await hand.presses(page.getByRole("toolbar").getByRole("button", { name: t("viewer.render.scan.title") }));
  const panel = page.getByRole("dialog", { name: t("viewer.render.scan.title") });
  await hand.presses(panel.locator("[aria-expanded]"));
  await hand.presses(panel.getByRole("button", { name: "lower.stl" }));
  await page.keyboard.press("Escape");
  const scan = paneOf(hand, "viewer.render.scan.pane");
  await isDrawn(scan);
  for (const across of [0.35, 0.5, 0.65]) {
    await hand.touches(scan, across, across === 0.5 ? 0.3 : 0.6);
    await hand.touches(pane, across, across === 0.5 ? 0.6 : 0.55);
  }
  await drawn(hand);
  await hand.keeps("ct-scan-pairs");
}

/** A scan that is registered to the volume: its outline in the planes, along the arch and in the cross-sections. */
export async function seesFitted(hand: Hand, { fitted }: GalleryWorld): Promise<void> {
  const { page } = hand.person;
  await opensCt(hand, fitted);
  for (const [layout, places] of [
    ["mpr", ["coronal"]],
    ["panorama", ["panorama", "section"]],
    ["volume", ["render"]],
  ] as const) {
    await hand.chooses("viewer.layout.title", `viewer.layout.${layout}`);
    for (const place of places) {
      await seesPlace(hand, place);
      if (place === "render") await paneOf(hand, "viewer.pane.render").waitFor();
      if (place !== "render") await page.locator("path[stroke^='rgb(']").first().waitFor({ state: "attached" });
      await drawn(hand);
      await hand.keeps(`ct-fitted-${place}`);
    }
  }
}
