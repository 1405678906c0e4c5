import { screens } from "@arcada/contract/screens";
import { expect } from "vitest";
import { drawsFlatOnly } from "./flat.ts";
import type { Hand } from "./gallery-hand.ts";
import { drawn, paneOf, undoes } from "./gallery-walks.ts";
import type { GalleryWorld } from "./gallery-world.ts";
import { isDrawn } from "./pixels.ts";

const modelViews = ["front", "left", "right", "back", "upper", "lower"] as const;

/** Scans with each of their tools. */
export async function seesModels(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  const { person } = hand;
  const { page, t } = person;
  await person.goes(`/viewer?study=${studies.models}`);
  const stage = paneOf(hand, "viewer.kind.models");
  await isDrawn(stage);
  const tab = (name: string) => hand.presses(page.getByRole("tab", { name: t(`viewer.model.tab.${name}`) }));
  for (const view of modelViews) {
    await hand.presses(page.getByRole("toolbar").getByRole("button", { name: t(`viewer.view.${view}`), exact: true }));
    await person.settles();
    await hand.keeps(`model-${view}`);
  }
  for (const tool of ["length", "angle", "surface", "thickness"] as const) {
    await hand.takes(tool);
    if (tool === "thickness") await hand.touches(stage, 0.5, 0.75);
    else await hand.draws(tool, stage, { left: 0.74, top: 0.36, width: 0.07, height: 0.05 });
    await hand.keeps(`model-${tool}`);
    // The next tap would grab the annotation that is already there.
    await undoes(hand, 1);
  }
  await hand.takes("pin");
  await hand.touches(stage, 0.5, 0.75);
  await hand.keeps("model-pin-asked");
  await page.getByRole("textbox", { name: t("viewer.model.pins.words") }).fill("Check the margin 边缘");
  await hand.presses(person.button("viewer.model.pins.keep"));
  await hand.keeps("model-pin");
  await hand.takes("cut");
  await hand.drags(stage, [0.5, 0.2], [0.55, 0.9]);
  await hand.keeps("model-cut");
  for (const side of ["above", "below", "line"]) {
    await hand.presses(page.getByText(t(`viewer.model.section.side.${side}`), { exact: true }));
    await hand.keeps(`model-cut-${side}`);
  }
  await hand.presses(person.button("viewer.model.section.end"));
  await tab("compare");
  await hand.presses(person.button("viewer.model.compare.start"));
  await person.sees(person.text("viewer.model.compare.legend.bite"));
  await hand.keeps("model-bite");
  await hand.presses(page.getByText(t("viewer.model.compare.version"), { exact: true }));
  await hand.presses(person.button("viewer.model.compare.start"));
  await person.sees(person.text("viewer.model.compare.p95"));
  await hand.keeps("model-distances");
  await hand.presses(person.button("viewer.model.align.begin"));
  await hand.touches(stage, 0.5, 0.75);
  await hand.keeps("model-align");
  await hand.presses(person.button("viewer.model.align.cancel"));
  await tab("models");
  await hand.keeps("model-list");
  await hand.opens("viewer.model.shading", "model-menu-shading");
  await hand.opens("viewer.model.picture", "model-menu-picture");
  await hand.presses(page.getByRole("toolbar").getByRole("button", { name: t("viewer.lightGround") }));
  await hand.keeps("model-light");
}

/** Visits the pages besides the study's own: comparison, radiograph mount, tracing, and the visitor's view. */
export async function seesOthers(hand: Hand, world: GalleryWorld): Promise<void> {
  const { person } = hand;
  const { page, t } = person;
  const { studies, patient, ceph } = world;
  const both = `left=${studies.panorama}&right=${studies.earlier}`;
  await person.goes(`${screens.compare.path}?patient=${patient}&${both}`);
  await isDrawn(page.locator("canvas").first());
  await hand.keeps("compare");
  await person.goes(`${screens.filmMount.path}?patient=${patient}`);
  await page.locator("img").first().waitFor();
  await hand.keeps("mount");
  await person.goes(`${screens.cephViewer.path}?study=${ceph.study}&item=${ceph.item}`);
  await isDrawn(page.locator("canvas").first());
  for (const panel of ["guide", "values", "scale", "versions"]) {
    await hand.presses(page.getByRole("tab", { name: t(`ceph.panel.${panel}`), exact: true }));
    await hand.keeps(`ceph-${panel}`);
  }
  for (const [name, address] of Object.entries(world.shared)) {
    // The addresses differ in their secret alone: what is still drawn must not be taken for the next.
    await page.goto("about:blank");
    await person.goes(address);
    const door = person.button("share.visitor.open");
    await door.or(page.locator("canvas").first()).first().waitFor();
    await hand.keeps(`shared-${name}-door`);
    if (await door.isVisible()) await hand.presses(door);
    await isDrawn(page.locator("canvas").first());
    await drawn(hand);
    await hand.keeps(`shared-${name}`);
  }
}

/** A browser without WebGL: the viewer reports it and still shows the images. */
export async function seesFlat(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  const { person } = hand;
  const { page } = person;
  await drawsFlatOnly(page);
  await person.goes(`/viewer?study=${studies.ct}`);
  await person.sees(person.text("viewer.no3d"));
  const slice = page.locator("main img").first();
  await expect.poll(() => slice.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(30);
  await hand.keeps("flat-ct");
  await person.goes(`/viewer?study=${studies.models}`);
  await person.sees(person.text("viewer.no3d"));
  await hand.keeps("flat-model");
  await person.goes(`/viewer?study=${studies.panorama}`);
  await isDrawn(page.locator("canvas").first());
}
