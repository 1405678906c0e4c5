import { screens } from "@arcada/contract/screens";
import { expect } from "vitest";
import { disableWebGl } from "../viewer/without-webgl.ts";
import type { GalleryUser } from "./screenshot-user.ts";
import { waitUntilRendered, viewportOf, undo } from "./capture-images-and-ct.ts";
import type { GallerySetup } from "./screenshot-setup.ts";
import { chooseTool, enterMode } from "../viewer/choose-tool.ts";
import { waitUntilDrawn } from "../support/screen-pixels.ts";

const modelViews = ["front", "left", "right", "back", "upper", "lower"] as const;

/** Scans with each of their tools. */
export async function captureModels(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  const { page, t } = person;
  await person.goTo(`/viewer?study=${studies.models}`);
  const viewport = viewportOf(user, "viewer.kind.models");
  await waitUntilDrawn(viewport);
  const openTab = (name: string) => user.press(page.getByRole("tab", { name: t(`viewer.model.tab.${name}`) }));
  for (const view of modelViews) {
    await chooseTool(person, `viewer.view.${view}`);
    await person.waitUntilSettled();
    await user.capture(`model-${view}`);
  }
  for (const tool of ["length", "angle", "surface", "thickness"] as const) {
    await user.selectTool(tool);
    if (tool === "thickness") await user.pressAt(viewport, 0.5, 0.75);
    else await user.draw(tool, viewport, { left: 0.74, top: 0.36, width: 0.07, height: 0.05 });
    await user.capture(`model-${tool}`);
    // The next tap would grab the annotation that is already there.
    await undo(user, 1);
  }
  await user.selectTool("pin");
  await user.pressAt(viewport, 0.5, 0.75);
  await user.capture("model-pin-asked");
  await page.getByRole("textbox", { name: t("viewer.model.pins.words") }).fill("Check the margin 边缘");
  await user.press(person.button("viewer.model.pins.keep"));
  await user.capture("model-pin");
  await user.selectTool("cut");
  await user.drag(viewport, [0.5, 0.2], [0.55, 0.9]);
  await user.capture("model-cut");
  for (const side of ["above", "below", "line"]) {
    await user.press(page.getByText(t(`viewer.model.section.side.${side}`), { exact: true }));
    await user.capture(`model-cut-${side}`);
  }
  await user.press(person.button("viewer.model.section.end"));
  await openTab("compare");
  await user.press(person.button("viewer.model.compare.start"));
  await person.waitFor(person.text("viewer.model.compare.legend.bite"));
  await user.capture("model-bite");
  await user.press(page.getByText(t("viewer.model.compare.version"), { exact: true }));
  await user.press(person.button("viewer.model.compare.start"));
  await person.waitFor(person.text("viewer.model.compare.p95"));
  await user.capture("model-distances");
  await user.press(person.button("viewer.model.align.begin"));
  await user.pressAt(viewport, 0.5, 0.75);
  await user.capture("model-align");
  await user.press(person.button("viewer.model.align.cancel"));
  await openTab("models");
  await user.capture("model-list");
  await enterMode(person, "export");
  await user.captureMenu("viewer.model.shading", "model-menu-shading");
  await user.press(page.getByRole("toolbar").getByRole("button", { name: t("viewer.lightGround") }));
  await user.capture("model-light");
}

/** Visits the pages besides the study's own: comparison, radiograph mount, tracing, and the visitor's view. */
export async function captureOtherPages(user: GalleryUser, setup: GallerySetup): Promise<void> {
  const { person } = user;
  const { page, t } = person;
  const { studies, patient, ceph } = setup;
  const both = `left=${studies.panorama}&right=${studies.earlier}`;
  await person.goTo(`${screens.compare.path}?patient=${patient}&${both}`);
  await waitUntilDrawn(page.locator("canvas").first());
  await user.capture("compare");
  await person.goTo(`${screens.filmMount.path}?patient=${patient}`);
  await page.locator("img").first().waitFor();
  await user.capture("mount");
  await person.goTo(`${screens.cephViewer.path}?study=${ceph.study}&item=${ceph.item}`);
  await waitUntilDrawn(page.locator("canvas").first());
  for (const panel of ["guide", "values", "scale", "versions"]) {
    await user.press(page.getByRole("tab", { name: t(`ceph.panel.${panel}`), exact: true }));
    await user.capture(`ceph-${panel}`);
  }
  for (const [name, address] of Object.entries(setup.shared)) {
    // The addresses differ only in their secret. Leave the page, so that its old content is not mistaken for the next.
    await page.goto("about:blank");
    await person.goTo(address);
    const openButton = person.button("share.visitor.open");
    await openButton.or(page.locator("canvas").first()).first().waitFor();
    await user.capture(`shared-${name}-door`);
    if (await openButton.isVisible()) await user.press(openButton);
    await waitUntilDrawn(page.locator("canvas").first());
    await waitUntilRendered(user);
    await user.capture(`shared-${name}`);
  }
}

/** A browser without WebGL: the viewer reports it and still shows the images. */
export async function captureWithoutWebGl(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  const { page } = person;
  await disableWebGl(page);
  await person.goTo(`/viewer?study=${studies.ct}`);
  await person.waitFor(person.text("viewer.no3d"));
  const slice = page.locator("main img").first();
  await expect.poll(() => slice.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(30);
  await user.capture("flat-ct");
  await person.goTo(`/viewer?study=${studies.models}`);
  await person.waitFor(person.text("viewer.no3d"));
  await user.capture("flat-model");
  await person.goTo(`/viewer?study=${studies.panorama}`);
  await waitUntilDrawn(page.locator("canvas").first());
}
