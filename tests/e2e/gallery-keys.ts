import type { Hand } from "./gallery-hand.ts";
import { opensCt, paneOf } from "./gallery-walks.ts";
import type { GalleryWorld } from "./gallery-world.ts";
import { pairsByKeys, worksModelsByKeys } from "./model-keys.ts";
import { isDrawn } from "./pixels.ts";
import { opensPanelsByKeys, plansByKeys, worksPlanesByKeys } from "./volume-keys.ts";
import { chooses } from "./volume.ts";

/** The tools of the volume without a pointer. */
export async function worksVolumeByKeys(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  const { person } = hand;
  await opensCt(hand, studies.ct);
  await chooses(person, "mpr");
  await worksPlanesByKeys(person);
  await chooses(person, "panorama");
  await plansByKeys(person);
  await chooses(person, "volume");
  await opensPanelsByKeys(person);
}

/** Those of the scans. */
export async function worksScansByKeys(hand: Hand, { studies }: GalleryWorld): Promise<void> {
  const { person } = hand;
  await person.goes(`/viewer?study=${studies.models}`);
  await isDrawn(paneOf(hand, "viewer.kind.models"));
  await worksModelsByKeys(person);
  await hand.presses(person.page.getByRole("tab", { name: person.t("viewer.model.tab.compare") }));
  await pairsByKeys(person);
}
