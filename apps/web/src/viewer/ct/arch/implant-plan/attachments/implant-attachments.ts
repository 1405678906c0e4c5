import type { Annotation } from "@arcada/contract/study/annotation";
import {
  getAbutmentAxis,
  getOutwardAxis,
  measureAxisAngle,
  type Abutment,
  type SleeveMeasures,
} from "@arcada/imaging/implant/implant-parts";
import type { ImplantBody } from "@arcada/imaging/implant/implant-body";
import { lengthOf, normalize, type Vector } from "@arcada/imaging/geometry/vector";

export interface Sleeve extends SleeveMeasures {
  inner: number;
}

/** The axis of the crown that the implant will carry, out of the jaw. */
export interface CrownAxis {
  from: "scan" | "hand";
  axis: Vector;
}

/** The planned parts above an implant. */
export interface ImplantAttachments {
  abutment: Abutment | null;
  sleeve: Sleeve | null;
  crown: CrownAxis | null;
}

type WithSettings = Pick<Annotation, "settings">;
type Settings = NonNullable<Annotation["settings"]>;

export function readAttachments({ settings = {} }: WithSettings): ImplantAttachments {
  const read = (name: string): number | null => {
    const value = settings[name];
    return typeof value === "number" ? value : null;
  };
  const [angle, turn] = [read("abutmentAngle"), read("abutmentTurn")];
  const [inner, outer, height] = [read("sleeveInner"), read("sleeveOuter"), read("sleeveHeight")];
  const axis: Vector = [read("crownX") ?? 0, read("crownY") ?? 0, read("crownZ") ?? 0];
  return {
    abutment: angle === null ? null : { angle, turn: turn ?? 0 },
    sleeve:
      inner === null || outer === null || height === null
        ? null
        : { inner, outer, height, offset: read("sleeveOffset") ?? 0 },
    crown:
      lengthOf(axis) === 0 ? null : { from: settings["crownFrom"] === "scan" ? "scan" : "hand", axis: normalize(axis) },
  };
}

/** Returns the annotation with another abutment, sleeve or crown axis; null removes it. */
export function putAttachments<M extends WithSettings>(annotation: M, change: Partial<ImplantAttachments>): M {
  const kept = Object.entries(annotation.settings ?? {}).filter(
    ([name]) =>
      !(
        ("abutment" in change && name.startsWith("abutment")) ||
        ("sleeve" in change && name.startsWith("sleeve")) ||
        ("crown" in change && name.startsWith("crown"))
      ),
  );
  const { abutment, sleeve, crown } = change;
  const added: Settings = {
    ...(abutment && { abutmentAngle: abutment.angle, abutmentTurn: abutment.turn }),
    ...(sleeve && {
      sleeveInner: sleeve.inner,
      sleeveOuter: sleeve.outer,
      sleeveHeight: sleeve.height,
      sleeveOffset: sleeve.offset,
    }),
    ...(crown && {
      crownFrom: crown.from,
      crownX: crown.axis[0],
      crownY: crown.axis[1],
      crownZ: crown.axis[2],
    }),
  };
  return { ...annotation, settings: { ...Object.fromEntries(kept), ...added } };
}

/** Degrees between the crown's axis and the implant, and the abutment if there is one; null without a crown axis. */
export function measureCrownAngles(
  body: ImplantBody,
  { abutment, crown }: ImplantAttachments,
): { toImplant: number; toAbutment: number | null } | null {
  if (!crown) return null;
  return {
    toImplant: measureAxisAngle(getOutwardAxis(body), crown.axis),
    toAbutment: abutment && measureAxisAngle(getAbutmentAxis(body, abutment), crown.axis),
  };
}
