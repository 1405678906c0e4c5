import { z } from "zod";
import { id, limited, boundedRecord, text } from "../kernel/fields.ts";

/**
 * The tools for annotations on images, with their minimum and maximum number of points. If more points may follow, the
 * user indicates when the annotation is finished.
 */
export const annotationTools = {
  length: { min: 2, max: 2 },
  angle: { min: 3, max: 3 },
  /** The angle between two lines that need not meet. */
  cobb: { min: 4, max: 4 },
  /** The length of the first line over that of the second. */
  ratio: { min: 4, max: 4 },
  path: { min: 2, max: 200 },
  arrow: { min: 2, max: 2 },
  text: { min: 1, max: 1 },
  /** A tooth's number in FDI notation as `text`. */
  tooth: { min: 1, max: 1 },
  /**
   * A line of known length, by which its image is calibrated: `settings.mm`; its author as `settings.by`, the time as
   * `settings.at`.
   */
  calibration: { min: 2, max: 2 },
  /** Grey values along a line. */
  profile: { min: 2, max: 2 },
  /** Grey values within the ellipse or the rectangle between two corners. */
  ellipse: { min: 2, max: 2 },
  rectangle: { min: 2, max: 2 },
  /** The dental arch along which a panorama is made; `settings.jaw` "upper" or "lower", `settings.upX`, `upY`, `upZ`: its upright where that is not the patient's. */
  arch: { min: 3, max: 60 },
  /**
   * A nerve canal; `settings.diameter` in mm, `settings.side` "right" or "left". `settings.isTraced`: its points were
   * found in the volume; `settings.hidden`: the stretches between its points that cannot be seen there, "3-5 9".
   */
  canal: { min: 2, max: 100 },
  /** The floor of a maxillary sinus; `settings.side` "right" or "left". */
  sinus: { min: 2, max: 100 },
  /**
   * From the middle of the shoulder to the tip; `settings.diameter` and `settings.tip` in mm: the diameters of both
   * ends; the tooth's number in FDI notation as `text`, or null; `settings.system`: maker, line and connection. Above
   * it `abutmentAngle` and `abutmentTurn` in degrees, `sleeveInner`, `sleeveOuter`, `sleeveHeight` and `sleeveOffset`
   * in mm, and the crown's axis `crownX` to `crownZ` with `crownFrom` "scan" or "hand".
   */
  implant: { min: 2, max: 2 },
  /** The root of a tooth, from the middle of its neck to its apex; `settings.diameter` and `settings.tip` in mm: the diameters of both ends; the tooth's number in FDI notation as `text`, or null. */
  root: { min: 2, max: 2 },
  /**
   * Opposite corners of the box in which the airway is measured and a point within it; air is below the grey value
   * `settings.threshold`.
   */
  airway: { min: 3, max: 3 },
  /**
   * The view of a volume from outside: `settings.preset`, `threshold` (grey value), `opacity`, `view`, the box that is
   * shown (`lowX` to `highZ`, 0 to 1), `cut` (a plane) and `isTurned` (the cut removes the other side). A view that was
   * rotated manually also stores three points: its target, the right and the up direction, with `settings.scale` and
   * `perspective`.
   */
  scene: { min: 0, max: 3 },
  /** Along a surface, in the plane that contains both ends and is perpendicular to the surface between them. */
  surface: { min: 2, max: 2 },
  /** From a point of a surface straight inwards to the opposite wall. */
  thickness: { min: 2, max: 2 },
  /** A comment at a point of a surface; `settings.author` and `settings.at` (time, ISO 8601). */
  pin: { min: 1, max: 1 },
  /**
   * Pairs of corresponding points in two models or in a model and a volume; `settings.onto`: the other's id;
   * `settings.m0` to `m11`: the rows of the rigid transform that maps the first of each onto the second.
   */
  registration: { min: 2, max: 60 },
  /**
   * The patient's orientation in a model's own space, as a person has stated it: the directions to the head and to the
   * back.
   */
  orientation: { min: 2, max: 2 },
} as const satisfies Record<string, { min: number; max: number }>;

export type AnnotationTool = keyof typeof annotationTools;
export const annotationToolNames = Object.keys(annotationTools) as [AnnotationTool, ...AnnotationTool[]];

/**
 * The place of an annotation of a volume: a plane, the panorama along the arch, a cross-section of it, or the volume
 * itself.
 */
export const annotationPlanes = ["axial", "coronal", "sagittal", "panorama", "section", "volume"] as const;

/** The colours of an annotation, as `settings.colour`; the first is the default. */
export const annotationColours = ["yellow", "red", "green", "blue", "pink", "white"] as const;
export type AnnotationColour = (typeof annotationColours)[number];

export const annotation = z
  .object({
    id: limited(60),
    tool: z.enum(annotationToolNames),
    instanceId: id.nullable(),
    /** Image points in pixels (2D) or patient points in mm LPS (volumes, models). */
    points: z.array(z.array(z.number()).min(2).max(3)).max(200),
    plane: z.enum(annotationPlanes).nullable(),
    text: text(500).nullable(),
    /** Tool-specific data besides points and words; see `annotationTools`. */
    settings: boundedRecord(limited(40), z.union([z.number(), z.boolean(), limited(200)]), 20).optional(),
  })
  .refine(
    ({ tool, points }) => points.length >= annotationTools[tool].min && points.length <= annotationTools[tool].max,
  );
export type Annotation = z.output<typeof annotation>;
