import { useEffect, useRef } from "react";
import { planeNames, findStoredSlice } from "@arcada/imaging/view/plane-view";
import { slicesPerGroup } from "@arcada/imaging/volume/volume-preview";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeLoad } from "./use-volume.ts";

/**
 * Milliseconds of rest before a slice is loaded: a user who keeps scrolling does not wait for the slices in between.
 */
const restMs = 200;

/** Loads the current slice at full resolution if the volume is shown at half its resolution. */
export function useFullResolutionSlice(
  { store, stage, loadFullResolution: bringSharp }: VolumeLoad,
  { crosshair, planes, displaySettings }: CtControls,
): void {
  const latestLoad = useRef(bringSharp);
  useEffect(() => void (latestLoad.current = bringSharp));
  const name = planeNames.find((each) => findStoredSlice(store.fullInfo, planes[each], crosshair) !== null);
  const slice =
    name && stage === "half" && displaySettings.slab === 0
      ? findStoredSlice(store.fullInfo, planes[name], crosshair)
      : null;
  useEffect(() => {
    if (slice === null || store.hasFullResolution(slice)) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      // A slice that cannot be loaded remains at half its resolution, as the page states.
      latestLoad.current?.(Math.floor(slice / slicesPerGroup), controller.signal).catch(() => {});
    }, restMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [store, slice]);
}
