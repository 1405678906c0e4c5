import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { ImplantBody, NerveCanal } from "@arcada/imaging/implant/implant-body";
import { createSmoothLine, getDirection } from "@arcada/imaging/arch/smooth-line";
import type { ToothRoot } from "@arcada/imaging/implant/tooth-root";
import { patientUp } from "@arcada/imaging/arch/curved-surface";
import { measureLengthOutsideJaw } from "@arcada/imaging/jaws/length-outside-jaw";
import type { JawBody } from "@arcada/imaging/jaws/segment-jaws";
import { distance, dot, minus, plus, times, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { Jaw } from "@arcada/imaging/arch/detection/detected-arches";
import { readAttachments, type ImplantAttachments } from "./attachments/implant-attachments.ts";
import {
  findNearestCanal,
  findNearestImplant,
  findNearestRoot,
  listUndrawnTeeth,
  type CanalDistance,
  type ImplantDistance,
  type RootDistance,
} from "./nearest-structures.ts";

/** A nerve canal that a user has drawn, or the floor of a maxillary sinus: a tube without a width. */
export interface Canal {
  annotation: Annotation;
  points: readonly Vector[];
  tube: NerveCanal;
  side: "right" | "left";
}

/** A tooth's root that a user has drawn. */
export interface DrawnRoot {
  annotation: Annotation;
  root: ToothRoot;
  /** In FDI notation; null if nobody has named the tooth. */
  tooth: number | null;
}

/** A planned implant with its distances to structures that must not be touched; mm and degrees. */
export interface Implant {
  annotation: Annotation;
  body: ImplantBody;
  length: number;
  /** In FDI notation; null if nobody has named the tooth. */
  tooth: number | null;
  /** Maker and line; null for a generic implant. */
  system: string | null;
  attachments: ImplantAttachments;
  /** To the nearest canal, drawn or suggested; null without one. Negative if the implant is in it. */
  toCanal: CanalDistance | null;
  /** To the nearest other implant; null without one. */
  toImplant: ImplantDistance | null;
  /** To the nearest drawn sinus floor; null without one. */
  toSinus: CanalDistance | null;
  /** To the nearest drawn root; null without one. */
  toRoot: RootDistance | null;
  /** To the nearest suggested tooth; null without one. It is no reason to leave out a drawn root that is farther away. */
  toSuggestedTooth: RootDistance | null;
  /** mm of its length outside the suggested bone of its jaw; null without a suggestion. */
  outsideJaw: number | null;
}

/** Structures that the measurement engine found in the volume; their annotations are not saved. */
export interface SuggestedStructures {
  canals: readonly Annotation[];
  teeth: readonly Annotation[];
  jaws: readonly SuggestedJaw[];
}

/** The coarse bone of a jaw, as far as the volume shows it. */
export interface SuggestedJaw {
  /** The id of the observation. */
  id: string;
  jaw: Jaw;
  body: JawBody;
}

const noSuggestions: SuggestedStructures = { canals: [], teeth: [], jaws: [] };

export interface Plan {
  canals: readonly Canal[];
  sinuses: readonly Canal[];
  implants: readonly Implant[];
  roots: readonly DrawnRoot[];
  /** Those of sides without a drawn one, and those that no drawn root replaces. */
  suggestedCanals: readonly Canal[];
  suggestedTeeth: readonly DrawnRoot[];
  suggestedJaws: readonly SuggestedJaw[];
}

export const planTools = ["arch", "canal", "implant", "root", "sinus"] as const;
export const isPlanAnnotation = ({ tool }: Pick<Annotation, "tool">): boolean =>
  planTools.some((name) => name === tool);

export function buildPlan(annotations: readonly Annotation[], suggested = noSuggestions): Plan {
  const withTool = (tool: (typeof planTools)[number]) => annotations.filter((annotation) => annotation.tool === tool);
  const canals = withTool("canal").map(getCanal);
  const sinuses = withTool("sinus").map(getCanal);
  const roots = withTool("root").map(getRoot);
  const suggestedCanals = suggested.canals
    .map(getCanal)
    .filter(({ side }) => canals.every((drawn) => drawn.side !== side));
  const suggestedTeeth = listUndrawnTeeth(suggested.teeth.map(getRoot), roots);
  const bodies = withTool("implant").map((annotation) => ({ mark: annotation, body: getBody(annotation) }));
  const implants = bodies.map(({ mark: annotation, body }): Implant => ({
    annotation,
    body,
    length: distance(body.head, body.apex),
    tooth: readTooth(annotation),
    system: readSystem(annotation),
    attachments: readAttachments(annotation),
    toCanal: findNearestCanal(body, readTooth(annotation), canals, suggestedCanals),
    toSinus: findNearestCanal(body, readTooth(annotation), sinuses),
    toImplant: findNearestImplant(
      body,
      bodies.map((other) => other.body),
    ),
    toRoot: findNearestRoot(body, roots),
    toSuggestedTooth: findNearestRoot(body, suggestedTeeth),
    outsideJaw: measureOutsideJaw(body, suggested.jaws),
  }));
  return { canals, sinuses, implants, roots, suggestedCanals, suggestedTeeth, suggestedJaws: suggested.jaws };
}

const outsideCache = new WeakMap<ImplantBody, WeakMap<JawBody, number>>();

/** The tip of an implant points into its jaw. The result is kept: a drag makes the plan anew and moves one implant only. */
function measureOutsideJaw(body: ImplantBody, all: readonly SuggestedJaw[]): number | null {
  const jaw = all.find((one) => one.jaw === (dot(minus(body.apex, body.head), patientUp) > 0 ? "upper" : "lower"));
  if (!jaw) return null;
  const cache = outsideCache.get(body) ?? new WeakMap<JawBody, number>();
  outsideCache.set(body, cache);
  const mm = cache.get(jaw.body) ?? measureLengthOutsideJaw(body, jaw.body);
  cache.set(jaw.body, mm);
  return mm;
}

/** Annotations are immutable: the object made from one stays valid, so that a drag recomputes only one. */
function memoizeByAnnotation<T>(make: (annotation: Annotation) => T): (annotation: Annotation) => T {
  const cache = new WeakMap<Annotation, T>();
  return (annotation) => {
    const known = cache.get(annotation) ?? make(annotation);
    cache.set(annotation, known);
    return known;
  };
}

const sampleStepMm = 0.25;

function buildCanal(annotation: Annotation): Canal {
  const points = annotation.points.map(toVector);
  return {
    annotation,
    points,
    tube: {
      line: createSmoothLine(points, sampleStepMm),
      radius: annotation.tool === "sinus" ? sinusRadius : readNumber(annotation, "diameter", canalDiameter) / 2,
    },
    side: annotation.settings?.["side"] === "left" ? "left" : "right",
  };
}

function buildBody(annotation: Pick<Annotation, "points" | "settings">): ImplantBody {
  const [head, apex] = [toVector(annotation.points[0] ?? []), toVector(annotation.points[1] ?? [])];
  const diameter = readNumber(annotation, "diameter", defaultImplantSize.diameter);
  return { head, apex, shoulder: diameter / 2, tip: readNumber(annotation, "tip", diameter) / 2 };
}

const getCanal = memoizeByAnnotation(buildCanal);
const getBody = memoizeByAnnotation<ImplantBody>(buildBody);
const getRoot = memoizeByAnnotation(buildRoot);

function buildRoot(annotation: Annotation): DrawnRoot {
  const [neck, apex] = [toVector(annotation.points[0] ?? []), toVector(annotation.points[1] ?? [])];
  const [wide, thin] = [
    readNumber(annotation, "diameter", defaultRootSize.diameter) / 2,
    readNumber(annotation, "tip", defaultRootSize.tip) / 2,
  ];
  return { annotation, root: { neck, apex, wide, thin }, tooth: readTooth(annotation) };
}

/** mm; the diameters of a root's ends until the user sets them. */
export const defaultRootSize = { diameter: 5, tip: 2 } as const;

function readNumber({ settings }: Pick<Annotation, "settings">, name: string, fallback: number): number {
  const value = settings?.[name];
  return typeof value === "number" && value > 0 ? value : fallback;
}

/** mm; the initial diameter of a canal. */
const canalDiameter = 2.5;
/** mm; the floor of a sinus is a line, drawn as wide as it can be seen. */
const sinusRadius = 0.25;

function readTooth({ text }: Pick<Annotation, "text">): number | null {
  const tooth = Number(text);
  return allTeeth.includes(tooth) ? tooth : null;
}

function readSystem({ settings }: Pick<Annotation, "settings">): string | null {
  const system = settings?.["system"];
  return typeof system === "string" && system !== "" ? system : null;
}

export interface ImplantSize {
  diameter: number;
  length: number;
  isCone: boolean;
  /** The diameter at the tip that a library states, mm; otherwise it follows from the shape. */
  tip?: number | undefined;
  /** Maker, line and connection; absent for a generic implant. */
  system?: string | null;
}

export const defaultImplantSize: ImplantSize = { diameter: 4.1, length: 10, isCone: false };
/** Sizes that most implant systems have; any other may be typed. mm. */
export const commonDiameters = [3.3, 3.5, 3.75, 4.1, 4.3, 4.5, 4.8, 5, 6];
export const commonLengths = [6, 7, 8, 8.5, 10, 11.5, 12, 13, 14, 16];
const coneTipRatio = 0.6;

export const getImplantSize = ({ body, length, system }: Pick<Implant, "body" | "length" | "system">): ImplantSize => ({
  diameter: body.shoulder * 2,
  length,
  isCone: body.tip < body.shoulder,
  system,
});

/** The implant in another size: its shoulder and its direction are kept. */
export function resizeImplant<M extends Pick<Annotation, "points" | "settings">>(annotation: M, size: ImplantSize): M {
  const { head, apex } = buildBody(annotation);
  const tip = plus(head, times(getDirection(head, apex), size.length));
  return {
    ...annotation,
    points: [[...head], [...tip]],
    settings: {
      ...annotation.settings,
      diameter: size.diameter,
      tip: size.tip ?? size.diameter * (size.isCone ? coneTipRatio : 1),
      ...(size.system !== undefined && { system: size.system ?? "" }),
    },
  };
}

/** Moves one of its points: the shoulder moves the implant, the tip rotates it about the shoulder. */
export function moveImplantPoint(annotation: Annotation, index: number, to: Vector): Annotation {
  const { head, apex } = buildBody(annotation);
  const length = distance(head, apex);
  const by = plus(to, times(head, -1));
  if (index === 0) return { ...annotation, points: [[...to], [...plus(apex, by)]] };
  return { ...annotation, points: [[...head], [...plus(head, times(getDirection(head, to), length))]] };
}

/** A new implant as drawn: from its shoulder towards its tip, or upright in its jaw if only one point was set. */
export function completeImplant<M extends Pick<Annotation, "points" | "settings">>(
  annotation: M,
  size: ImplantSize,
  jaw: Jaw,
  up: Vector,
): M {
  const { head, apex } = buildBody(annotation);
  const isSinglePoint = distance(head, apex) < 1;
  const inwards = times(up, jaw === "upper" ? 1 : -1);
  const points = [[...head], [...(isSinglePoint ? plus(head, inwards) : apex)]];
  return resizeImplant({ ...annotation, points }, size);
}

/** True if an implant is in the upper jaw: its tip is above its head. */
export const isUpper = ({ body: { head, apex } }: Pick<Implant, "body">, up: Vector): boolean =>
  dot(getDirection(head, apex), up) > 0;

/** The values of a planned implant that leave the viewer, in mm. */
interface PlannedImplantValues {
  tooth: number | null;
  system: string | null;
  diameter: number;
  length: number;
  /** Degrees of its abutment; null without one. */
  abutmentAngle: number | null;
  distances: { to: "canal" | "implant" | "root" | "sinus"; mm: number }[];
}

/** Returns the planned implants of a study with their sizes and their distances to what they must not touch. */
export const listPlannedImplants = (annotations: readonly Annotation[]): PlannedImplantValues[] =>
  buildPlan(annotations.filter(isPlanAnnotation)).implants.map(toPlannedValues);

function toPlannedValues(implant: Implant): PlannedImplantValues {
  const { body, length, tooth, system, attachments, toCanal, toImplant, toRoot, toSinus } = implant;
  const gaps = { canal: toCanal, implant: toImplant, root: toRoot, sinus: toSinus };
  return {
    tooth,
    system,
    diameter: body.shoulder * 2,
    length,
    abutmentAngle: attachments.abutment?.angle ?? null,
    distances: (["canal", "implant", "root", "sinus"] as const).flatMap((to) => {
      const gap = gaps[to];
      return gap ? [{ to, mm: gap.mm }] : [];
    }),
  };
}
