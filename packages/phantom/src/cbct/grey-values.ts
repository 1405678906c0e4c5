import type { ToothMaterial } from "../anatomy/tooth-material.ts";

/** Grey values of the generated CBCT; like those of real devices they are near Hounsfield units, and none. */
export const greyValues = {
  air: -1000,
  fat: -95,
  skin: 20,
  muscle: 55,
  trabecular: 330,
  compact: 1420,
  canal: 30,
  highest: 3095,
} as const;

export const materialGreyValues: Record<ToothMaterial, number> = {
  nothing: greyValues.air,
  pulp: 160,
  dentine: 1560,
  enamel: 2420,
  filling: 2950,
  metal: 6500,
  ceramic: 2850,
  titanium: 4300,
  rootFilling: 3000,
};
