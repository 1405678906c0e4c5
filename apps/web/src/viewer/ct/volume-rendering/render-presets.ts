import type { RenderDisplaySettings } from "@arcada/imaging/gl/ray-cast-renderer";
import { computeCrownThreshold, type TissueThresholds } from "@arcada/imaging/surface/tissue-thresholds";

export const renderPresets = ["bone", "teeth", "soft", "radiograph", "max"] as const;
export type RenderPreset = (typeof renderPresets)[number];

/** The user's changes to a preset. */
export interface RenderChoice {
  preset: RenderPreset;
  /** The stored grey value from which matter is shown; without it the preset's own. */
  threshold: number | null;
  /** 0 to 1. */
  opacity: number;
}

/** The value from which a preset shows something, in grey values as stored. */
export const resolveThreshold = ({ preset, threshold }: RenderChoice, matter: TissueThresholds): number =>
  threshold ?? startValues[preset](matter);

export function buildRenderSettings(choice: RenderChoice, matter: TissueThresholds): RenderDisplaySettings {
  const { preset, opacity } = choice;
  const low = resolveThreshold(choice, matter);
  const rise = Math.max(1, rampWidths[preset](matter));
  const mode = preset === "max" || preset === "radiograph" ? preset : "matter";
  return { mode, ramp: [low, low + rise], opacity, colours: colours[preset] };
}

const startValues: Record<RenderPreset, (matter: TissueThresholds) => number> = {
  bone: ({ hard }) => hard,
  teeth: computeCrownThreshold,
  soft: ({ soft }) => soft,
  radiograph: ({ soft, hard }) => Math.round(soft + 0.6 * (hard - soft)),
  max: ({ soft }) => soft,
};

const rampWidths: Record<RenderPreset, (matter: TissueThresholds) => number> = {
  bone: ({ hard, dense }) => 0.6 * (dense - hard),
  teeth: ({ hard, dense }) => 0.5 * (dense - hard),
  soft: ({ soft, hard }) => 0.8 * (hard - soft),
  radiograph: ({ hard, dense }) => dense - hard,
  max: () => 1,
};

const bone: RenderDisplaySettings["colours"] = [
  [0.84, 0.72, 0.56],
  [0.98, 0.94, 0.85],
];

const colours: Record<RenderPreset, RenderDisplaySettings["colours"]> = {
  bone,
  teeth: [
    [0.88, 0.78, 0.6],
    [1, 1, 0.97],
  ],
  soft: [
    [0.78, 0.55, 0.45],
    [0.95, 0.78, 0.68],
  ],
  radiograph: bone,
  max: bone,
};
