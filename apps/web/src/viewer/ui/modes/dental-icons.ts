import { createReactComponent, type Icon } from "@tabler/icons-react";

// Own drawings in the grid and stroke of the other icons, for what a dentist knows by its shape.
const draw = (name: string, ...paths: readonly string[]): Icon =>
  createReactComponent(
    "outline",
    name,
    name,
    paths.map((d, at) => ["path", { d, key: String(at) }]),
  );

/** A dental arch seen from the occlusal side, with teeth along it. */
export const IconDentalArch = draw(
  "dental-arch",
  "M4 20c0 -9 3 -16 8 -16s8 7 8 16",
  "M8.5 20c0 -6.5 1.2 -11 3.5 -11s3.5 4.5 3.5 11",
  "M4.6 14l4.2 .8",
  "M6.6 8l3.2 3",
  "M12 4v5",
  "M17.4 8l-3.2 3",
  "M19.4 14l-4.2 .8",
);

/** An implant: its platform, its threads and its tip. */
export const IconImplant = draw(
  "dental-implant",
  "M7.5 4h9",
  "M8.5 4v3h7v-3",
  "M9 7l.8 11c.2 1.9 1 3 2.2 3s2 -1.1 2.2 -3l.8 -11",
  "M7.5 10.5l9 -1.5",
  "M8 14l8 -1.5",
  "M8.7 17.5l6.6 -1.5",
);

/** A lateral head film: the profile with brow, nose, lips and chin, and a landmark line. */
export const IconCephalogram = draw(
  "cephalogram",
  "M9 21v-3c-3 -1.5 -5 -4.3 -5 -7.5a7.5 7.5 0 0 1 14.7 -2c.2 1.2 .3 2 .3 2l2 3.5h-2v1.5l.5 1.5l-1 .8c.3 1.7 -.5 2.7 -2.5 2.7h-2v.5",
  "M8 10.5l8.5 .5",
  "M8 10.5l6.5 6",
);

/** The airway in a sagittal view: from the nose down behind the tongue. */
export const IconAirway = draw(
  "airway",
  "M3 8c4 -2.5 8 -2.5 11 -1c3 1.5 4 4 4 7v7",
  "M3 12c3 -1.5 6 -1.5 8.5 -.5c1.8 .8 2.5 2.5 2.5 4.5v5",
  "M8 16c-1.5 -.5 -3.5 -.5 -5 .5",
);

/** The mandibular canal in the lower jaw. */
export const IconNerveCanal = draw(
  "nerve-canal",
  "M3 5c.5 8 2.5 12 7 13.5c3.5 1.2 7.5 1.2 11 .5v-5",
  "M8 5c.3 4.5 1.5 6.7 4 7.5c2.8 .9 6 .8 9 .5",
  "M5.5 5c.4 6.2 2 9 5.5 10.3c2 .7 4 .9 6 .9",
  "M18 15.2a1 1 0 1 0 0 2a1 1 0 0 0 0 -2z",
);

/** The root of a tooth with its crown and apex. */
export const IconToothRoot = draw(
  "tooth-root",
  "M7 3c1.5 0 3 1 5 1s3.5 -1 5 -1c2 0 3 1.8 2.5 4c-.4 1.8 -1.5 2.5 -2 3.5h-11c-.5 -1 -1.6 -1.7 -2 -3.5c-.5 -2.2 .5 -4 2.5 -4z",
  "M7 10.5c.5 6 2 10.5 5 10.5s4.5 -4.5 5 -10.5",
);

/** A panoramic image: both jaws spread out. */
export const IconPanorama = draw(
  "panorama",
  "M3 6c6 1.5 12 1.5 18 0v11c-6 2.5 -12 2.5 -18 0z",
  "M5 12c4.5 1.3 9.5 1.3 14 0",
  "M8.5 10v5.5",
  "M12 10.5v5.5",
  "M15.5 10v5.5",
);
