import type { GalleryUser } from "./screenshot-user.ts";
import { openCt, viewportOf, waitUntilRendered } from "./capture-images-and-ct.ts";
import type { GallerySetup } from "./screenshot-setup.ts";
import { alignByKeyboard, tryModelToolsByKeyboard } from "../viewer/model-keyboard.ts";
import { waitUntilDrawn } from "../support/screen-pixels.ts";
import { openPanelsByKeyboard, planByKeyboard, tryPlaneToolsByKeyboard } from "../viewer/volume-keyboard.ts";
import { chooseLayout } from "../viewer/volume-steps.ts";

/** The tools of the volume without a pointer. */
export async function tryVolumeByKeyboard(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  await openCt(user, studies.ct);
  await chooseLayout(person, "mpr");
  await tryPlaneToolsByKeyboard(person);
  await chooseLayout(person, "panorama");
  await planByKeyboard(person);
  await chooseLayout(person, "volume");
  await waitUntilRendered(user);
  await openPanelsByKeyboard(person);
}

/** Those of the scans. */
export async function tryScansByKeyboard(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  await person.goTo(`/viewer?study=${studies.models}`);
  await waitUntilDrawn(viewportOf(user, "viewer.kind.models"));
  await tryModelToolsByKeyboard(person);
  await user.press(person.page.getByRole("tab", { name: person.t("viewer.model.tab.compare") }));
  await alignByKeyboard(person);
}
