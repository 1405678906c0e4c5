import { computeVolumeWindow, type VoiWindow } from "@arcada/imaging/image/voi-window";
import { scaleWindow } from "@arcada/imaging/dicom/pixels/read-voi";
import type { VolumeStore } from "../loading/volume-store.ts";

export const presetNames = ["file", "auto", "bone", "teeth", "soft", "full"] as const;
export type PresetName = (typeof presetNames)[number];

/**
 * Window presets for dental tissues. Hounsfield units are the same on every scanner; cone-beam grey values are not, so
 * there the windows are shares of the value range that the volume really has.
 */
export function getPresetWindow(name: PresetName, store: VolumeStore): VoiWindow {
  const { info } = store;
  if (name === "file") return info.fileWindow ?? info.window;
  if (name === "full") return { center: (info.min + info.max + 1) / 2, width: info.max - info.min + 1 };
  const auto = store.preview ? computeVolumeWindow(store.preview.values) : info.window;
  if (name === "auto") return auto;
  const { center, width } = (info.valueName === "HU" ? hounsfield : shares)[name];
  if (info.valueName === "HU")
    return scaleWindow({ center, width }, { scale: info.valueScale, offset: info.valueOffset });
  return { center: auto.center + auto.width * center, width: auto.width * width };
}

const hounsfield: Record<"bone" | "teeth" | "soft", VoiWindow> = {
  bone: { center: 500, width: 2000 },
  teeth: { center: 1200, width: 3000 },
  soft: { center: 50, width: 400 },
};

const shares: typeof hounsfield = {
  bone: { center: -0.05, width: 0.6 },
  teeth: { center: 0.15, width: 0.9 },
  soft: { center: -0.2, width: 0.25 },
};
