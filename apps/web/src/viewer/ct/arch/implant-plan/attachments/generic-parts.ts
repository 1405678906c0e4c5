import type { DrillSleeve, SystemChoice } from "@arcada/contract/implant/implant-library.schema";

export const findSystem = (systems: readonly SystemChoice[], name: string | null): SystemChoice | undefined =>
  systems.find((one) => one.name === name);

/** Angles and sleeves for implants without a system. */
export const genericAngles = [0, 15, 17, 25, 30];
export const genericSleeve: DrillSleeve = { name: "5.0", inner: 5, outer: 6.2, height: 5, offsets: [2, 4, 6, 9] };
