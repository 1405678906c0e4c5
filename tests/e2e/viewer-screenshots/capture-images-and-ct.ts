import type { Locator } from "playwright-core";
import { expect } from "vitest";
import {
  getArrangement,
  layoutNames,
  getViewportDefinition,
  listViewportIds,
  type LayoutName,
} from "../../../apps/web/src/viewer/ct-core/viewport-layouts.ts";
import { renderPresets } from "../../../apps/web/src/viewer/ct/volume-rendering/render-presets.ts";
import { gridParts, type GalleryUser } from "./screenshot-user.ts";
import type { GallerySetup } from "./screenshot-setup.ts";
import { chooseTool } from "../viewer/choose-tool.ts";
import { waitUntilDrawn } from "../support/screen-pixels.ts";
import type { DrawingTool } from "../../../apps/web/src/viewer/annotations/annotation-kind-registry.ts";
import { present } from "@arcada/testing/require-present";

export const viewportOf = ({ person }: GalleryUser, key: string, values?: Record<string, string | number>): Locator =>
  person.page.getByRole("group", { name: person.t(key, values), exact: true });

const imageAnnotations = [
  ["length", "angle", "path", "cobb"],
  ["ratio", "profile", "ellipse", "rectangle"],
  ["calibration", "arrow", "text", "tooth"],
] as const;

/** Captures the image with each of its tools. */
export async function captureImagePage(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { page } = user.person;
  await user.person.goTo(`/viewer?study=${studies.panorama}`);
  const viewport = page.locator("canvas").first();
  await waitUntilDrawn(viewport);
  await user.capture("picture");
  for (const tools of imageAnnotations) {
    await drawAll(user, viewport, tools, 2);
    await user.capture(`picture-${tools.join("-")}`);
    await undo(user, tools.length);
  }
  await user.selectTool("lens");
  // On a touch screen the magnifier is visible only during the touch.
  await user.drag(viewport, [0.45, 0.5], [0.5, 0.5], () => user.capture("picture-lens"));
  for (const tool of ["zoomBox", "rotate", "window"]) {
    await user.selectTool(tool);
    await user.drag(viewport, [0.4, 0.4], [0.6, 0.55]);
    await user.capture(`picture-${tool}`);
  }
  await chooseTool(user.person, "viewer.reset");
  for (const [key, name] of [
    ["viewer.more.title", "more"],
    ["viewer.look.title", "look"],
    ["viewer.marks.colour", "colours"],
    ["viewer.versions.title", "versions"],
  ] as const)
    await user.captureMenu(key, `picture-menu-${name}`).catch(reportMissing(user, `picture-menu-${name}`));
  await user.press(
    page.getByRole("toolbar").getByRole("button", { name: user.person.t("viewer.marks.title"), exact: true }),
  );
  await user.capture("picture-list");
}

const reportMissing =
  ({ faults }: GalleryUser, name: string) =>
  (error: unknown): void =>
    void faults.push(`${name}: ${String(error).slice(0, 300)}`);

async function drawAll(
  user: GalleryUser,
  viewport: Locator,
  tools: readonly DrawingTool[],
  columns: number,
): Promise<void> {
  const parts = gridParts(columns, Math.ceil(tools.length / columns));
  for (const [at, tool] of tools.entries()) {
    await user.selectTool(tool);
    await user.draw(tool, viewport, parts[at]);
  }
}

export async function undo(user: GalleryUser, times: number): Promise<void> {
  const { page, t } = user.person;
  await page.keyboard.press("Escape");
  for (let time = 0; time < times; time++)
    await user.press(page.getByRole("toolbar").getByRole("button", { name: t("viewer.undo"), exact: true }));
  // Each annotation was one undo step.
  await expect.poll(() => user.annotations().count()).toBe(0);
}

/** Captures the volume in every layout; one viewport after another where there is space for only one. */
export async function captureLayouts(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  await openCt(user, studies.ct);
  for (const layout of layoutNames) {
    await user.chooseMenuItem("viewer.layout.title", `viewer.layout.${layout}`);
    await waitUntilRendered(user);
    await user.capture(`ct-${layout}`);
    if (present(person.page.viewportSize()).width < 640) await captureViewports(user, layout);
  }
}

export async function openCt({ person }: GalleryUser, study: string): Promise<void> {
  await person.goTo(`/viewer?study=${study}`);
  await person.page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor();
}

/** Waits until nothing is loading and no coarse image is shown. */
export async function waitUntilRendered({ person }: GalleryUser): Promise<void> {
  const renderButton = person.button("viewer.render.ask");
  if (await renderButton.isVisible()) await renderButton.click();
  await waitUntilDrawn(person.page.locator("canvas").first());
  await person.page
    .getByText(person.t("viewer.rough"), { exact: true })
    .first()
    .waitFor({ state: "detached", timeout: 60_000 });
  await person.page.waitForTimeout(600);
}

async function captureViewports(user: GalleryUser, layout: LayoutName): Promise<void> {
  const { page, t } = user.person;
  const places = listViewportIds(getArrangement(layout, 390));
  const select = page.getByRole("combobox", { name: t("viewer.layout.place") });
  for (const place of places) {
    const { kind: viewport } = getViewportDefinition(place);
    if (await select.isVisible()) await select.selectOption(place);
    else await user.press(page.getByRole("radiogroup").getByText(t(`viewer.pane.${viewport}`), { exact: true }));
    await waitUntilRendered(user);
    await user.capture(`ct-${layout}-${place}`);
  }
}

async function showViewport(user: GalleryUser, viewport: string): Promise<void> {
  const { page, t } = user.person;
  if (present(page.viewportSize()).width >= 640) return;
  await user.press(page.getByRole("radiogroup").getByText(t(`viewer.pane.${viewport}`), { exact: true }));
}

const planeAnnotations = [
  ["length", "path", "angle", "cobb"],
  ["ratio", "profile", "ellipse", "rectangle"],
  ["arrow", "text"],
] as const;

/** Every tool of the planes. */
export async function capturePlaneTools(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  await openCt(user, studies.ct);
  await user.chooseMenuItem("viewer.layout.title", "viewer.layout.mpr");
  const axial = viewportOf(user, "viewer.plane.axial");
  await waitUntilDrawn(axial);
  for (const tools of planeAnnotations) {
    await drawAll(user, axial, tools, 2);
    await user.capture(`ct-${tools.join("-")}`);
    await undo(user, tools.length);
  }
  await user.selectTool("cross");
  await user.pressAt(axial, 0.4, 0.35);
  await user.capture("ct-cross");
  for (const tool of ["window", "pan", "scroll"]) {
    await user.selectTool(tool);
    await user.drag(axial, [0.45, 0.4], [0.55, 0.6]);
    await waitUntilRendered(user);
    await user.capture(`ct-${tool}`);
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
    ["viewer.more.title", "more"],
  ] as const)
    await user.captureMenu(key, `ct-menu-${name}`).catch(reportMissing(user, `ct-menu-${name}`));
  await user.selectTool("cross");
  await user.person.page.keyboard.press("Shift+X");
  await waitUntilRendered(user);
  await user.capture("ct-turned");
}

/** Captures the arch, the panorama along it, the canal and the implant, and the measurements on them. */
export async function capturePlanning(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  await openCt(user, studies.ct);
  await user.chooseMenuItem("viewer.layout.title", "viewer.layout.panorama");
  await showViewport(user, "panorama");
  const panorama = viewportOf(user, "viewer.pane.panorama");
  await waitUntilDrawn(panorama);
  await drawAll(user, panorama, ["length", "angle"], 2);
  await user.selectTool("canal");
  await user.draw("canal", panorama, { left: 0.15, top: 0.6, width: 0.25, height: 0.15 });
  await user.selectTool("implant");
  const crossSection = user.person.page.locator("[aria-current=true][role=group]");
  await showViewport(user, "section");
  await user.draw("implant", crossSection.first(), { left: 0.5, top: 0.45, width: 0.05, height: 0.3 });
  await waitUntilRendered(user);
  await user.capture("ct-plan-section");
  await user.selectTool("length");
  await user.draw("length", crossSection.first());
  await user.capture("ct-plan-section-length");
  await showViewport(user, "panorama");
  await waitUntilRendered(user);
  await user.capture("ct-plan-panorama");
  await user.selectTool("arch");
  await showViewport(user, "axial");
  await waitUntilRendered(user);
  await user.capture("ct-plan-arch");
  await user.captureMenu("viewer.arch.panel", "ct-plan-panel");
}

/** The volume rendering: modes, clipping, the airway, a scan next to it, the surface as a file. */
export async function captureRendering(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  const { page, t } = person;
  await openCt(user, studies.ct);
  await user.chooseMenuItem("viewer.layout.title", "viewer.layout.volume");
  await waitUntilRendered(user);
  const viewport = viewportOf(user, "viewer.pane.render");
  for (const preset of renderPresets) {
    await user.chooseMenuItem("viewer.render.preset.title", `viewer.render.preset.${preset}`);
    await waitUntilRendered(user);
    await user.capture(`ct-render-${preset}`);
  }
  await user.captureMenu("viewer.render.clip.title", "ct-render-clip");
  await user.captureMenu("viewer.render.view.title", "ct-render-views");
  await user.captureMenu("viewer.render.export.title", "ct-render-export");
  await chooseTool(person, "viewer.render.airway.title");
  await user.press(person.button("viewer.render.airway.start"));
  await page.waitForTimeout(2500);
  await user.capture("ct-airway");
  // On a touch screen a tap outside closes a panel.
  await user.pressAt(viewport, 0.04, 0.85);
  await user.press(page.getByRole("toolbar").getByRole("button", { name: t("viewer.render.scan.title") }));
  const panel = page.getByRole("dialog", { name: t("viewer.render.scan.title") });
  await user.press(panel.locator("[aria-expanded]"));
  await user.press(panel.getByRole("button", { name: "lower.stl" }));
  await page.keyboard.press("Escape");
  const scan = viewportOf(user, "viewer.render.scan.pane");
  await waitUntilDrawn(scan);
  for (const across of [0.35, 0.5, 0.65]) {
    await user.pressAt(scan, across, across === 0.5 ? 0.3 : 0.6);
    await user.pressAt(viewport, across, across === 0.5 ? 0.6 : 0.55);
  }
  await waitUntilRendered(user);
  await user.capture("ct-scan-pairs");
}

/** A scan that is registered to the volume: its outline in the planes, along the arch and in the cross-sections. */
export async function captureRegisteredScan(
  user: GalleryUser,
  { registeredVolume: fitted }: GallerySetup,
): Promise<void> {
  const { page } = user.person;
  await openCt(user, fitted);
  for (const [layout, places] of [
    ["mpr", ["coronal"]],
    ["panorama", ["panorama", "section"]],
    ["volume", ["render"]],
  ] as const) {
    await user.chooseMenuItem("viewer.layout.title", `viewer.layout.${layout}`);
    for (const place of places) {
      await showViewport(user, place);
      if (place === "render") await viewportOf(user, "viewer.pane.render").waitFor();
      if (place !== "render") await page.locator("path[stroke^='rgb(']").first().waitFor({ state: "attached" });
      await waitUntilRendered(user);
      await user.capture(`ct-fitted-${place}`);
    }
  }
}
