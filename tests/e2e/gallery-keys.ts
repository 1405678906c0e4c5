import type { GalleryUser } from "./gallery-hand.ts";
import { openCt, viewportOf } from "./gallery-walks.ts";
import type { GallerySetup } from "./gallery-world.ts";
import { alignByKeyboard, useModelToolsByKeyboard } from "./model-keys.ts";
import { waitUntilDrawn } from "./pixels.ts";
import { openPanelsByKeyboard, planByKeyboard, usePlaneToolsByKeyboard } from "./volume-keys.ts";
import { chooseLayout } from "./volume.ts";

/** The tools of the volume without a pointer. */
export async function useVolumeByKeyboard(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  await openCt(user, studies.ct);
  await chooseLayout(person, "mpr");
  await usePlaneToolsByKeyboard(person);
  await chooseLayout(person, "panorama");
  await planByKeyboard(person);
  await chooseLayout(person, "volume");
  await openPanelsByKeyboard(person);
}

/** Those of the scans. */
export async function useScansByKeyboard(user: GalleryUser, { studies }: GallerySetup): Promise<void> {
  const { person } = user;
  await person.goTo(`/viewer?study=${studies.models}`);
  await waitUntilDrawn(viewportOf(user, "viewer.kind.models"));
  await useModelToolsByKeyboard(person);
  await user.press(person.page.getByRole("tab", { name: person.t("viewer.model.tab.compare") }));
  await alignByKeyboard(person);
}
