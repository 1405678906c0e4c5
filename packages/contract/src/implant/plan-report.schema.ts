import { z } from "zod";
import { int32, limited, required, text } from "../kernel/fields.ts";
import { allTeeth } from "../kernel/tooth-numbers.ts";

export const planReportRules = {
  maxImplants: 16,
  /** A panorama, and two cuts of each implant. */
  maxPictures: 33,
  pictureBody: 600_000,
  /** All pictures as base64, with their values. */
  body: 12_000_000,
} as const;

/** The structures from which an implant keeps a distance. */
export const planStructures = ["canal", "implants", "root", "sinus"] as const;
export type PlanStructure = (typeof planStructures)[number];

const mm = z.number().min(-200).max(200);
const degrees = z.number().min(0).max(180);
const point = z.array(z.number().min(-5000).max(5000)).min(3).max(3);
const tooth = z.int().refine((value) => allTeeth.includes(value), "toothUnknown");
const implantNumber = z.int().min(1).max(planReportRules.maxImplants);

const planDistance = z.object({
  to: z.enum(planStructures),
  /** Negative or 0 where they touch or overlap. */
  mm,
  /** The distance below which the planner wanted a warning. */
  limit: mm,
  /** The tooth of a root, if somebody has named it. */
  tooth: tooth.nullable(),
  /** True if measurement found the structure, and nobody has confirmed it. */
  isSuggested: z.boolean().default(false),
});

const boneSides = ["buccal", "lingual", "palatal", "apex", "unseen"] as const;
const boneFinding = z.discriminatedUnion("state", [
  z.object({ state: z.enum(["within", "unjudged", "arriving"]) }),
  z.object({ state: z.literal("leaves"), percent: z.int().min(0).max(100), where: z.array(z.enum(boneSides)).max(5) }),
]);
export type BoneFinding = z.output<typeof boneFinding>;

const plannedImplant = z.object({
  number: implantNumber,
  tooth: tooth.nullable(),
  system: text(80).nullable(),
  library: text(60).nullable(),
  /** mm */
  diameter: z.number().min(0.5).max(20),
  tip: z.number().min(0).max(20),
  length: z.number().min(0.5).max(80),
  /** Middle of the shoulder and tip: patient LPS, mm. */
  head: point,
  apex: point,
  /** One of each structure, and to a suggested tooth beside that to a drawn root. */
  distances: z.array(planDistance).max(planStructures.length + 1),
  bone: boneFinding,
  /** True if the implant leaves the suggested bone of its jaw, which nobody has confirmed. */
  leavesSuggestedJaw: z.boolean().optional(),
  abutment: z.object({ angle: degrees, turn: z.number().min(0).max(360) }).nullable(),
  sleeve: z
    .object({
      inner: z.number().min(0).max(20),
      outer: z.number().min(0).max(20),
      height: z.number().min(0).max(30),
      offset: z.number().min(0).max(40),
    })
    .nullable(),
  /** The angle between the implant, or its abutment, and the crown's axis; `from`: how that axis was found. */
  crown: z.object({ from: z.enum(["scan", "hand"]), toImplant: degrees, toAbutment: degrees.nullable() }).nullable(),
});
export type PlannedImplantReport = z.output<typeof plannedImplant>;

/** The parts that nobody has drawn, and that the plan therefore does not check. */
export const uncheckedParts = ["canals", "hiddenCanal", "roots", "otherRoots", "sinus", "suggested"] as const;

/** A plan as its report states it. The viewer measures; the server adds who, when and on which images. */
export const planReportContent = z.object({
  implants: z.array(plannedImplant).min(1).max(planReportRules.maxImplants),
  /** The angle between the axes of each two implants. */
  pairs: z.array(z.object({ one: implantNumber, other: implantNumber, degrees })).max(120),
  /** Degrees above which two axes count as not parallel. */
  parallelLimit: degrees,
  unchecked: z.array(z.enum(uncheckedParts)).max(uncheckedParts.length),
  /** The size of a voxel, mm. */
  voxel: z.array(z.number().positive().max(20)).min(3).max(3),
  /** A scan that was registered with the volume: mm, root mean square, over so many pairs of points. */
  scan: z.object({ name: text(200), rms: z.number().min(0).max(50), pairs: int32.nonnegative() }).nullable(),
});
export type PlanReportContent = z.output<typeof planReportContent>;

/** A picture of the plan: the panorama, or a cut through one implant across or along the arch. */
export const planPicture = z.object({
  kind: z.enum(["panorama", "across", "along"]),
  /** Null for the panorama. */
  number: implantNumber.nullable(),
  image: required(planReportRules.pictureBody).check(z.base64()),
});
export type PlanPicture = z.output<typeof planPicture>;

/** The measures by which a guide was made; mm. */
export const guideSettings = z.object({
  thickness: z.number().min(0.5).max(10),
  gap: z.number().min(0).max(1),
  sleeves: z.array(implantNumber).min(1).max(planReportRules.maxImplants),
  scan: limited(200),
});
