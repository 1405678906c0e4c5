import { useMemo, useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { bendOf, bendOver } from "@arcada/imaging/arch/bend-fit";
import { archPath, patientToWall, wallToPatient, type ArchPath } from "@arcada/imaging/arch/path";
import { sectionAlong, sectionCount, sectionNumber } from "@arcada/imaging/arch/section";
import { distance, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import type { Marks } from "../../marks/use-marks.ts";
import type { Ruler } from "../../marks/kind.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../volume-store.ts";
import {
  firstSectionLook,
  firstWallLook,
  sectionFor,
  type ArchView,
  type SectionLook,
  type WallLook,
} from "./arch-look.ts";
import { boneAround } from "./bone-judge.ts";
import { firstSize, implantDrawn, planOf, rootSize, type Implant, type ImplantSize, type Plan } from "./plan.ts";
import type { BoneState } from "./plan-warnings.ts";
import { archSettings } from "./arch-mark.ts";
import { useArchLine, type ArchLine } from "./use-arch-line.ts";
import { useGaps, type GapControls } from "./use-gaps.ts";
import { useLiveMarks, type LiveMarks } from "./use-live-marks.ts";
import { wallRuler } from "./wall-ruler.ts";

export interface Arch extends ArchLine, Plan, GapControls {
  /** True if a panorama or cross-sections are on the screen. */
  isShown: boolean;
  /** Starts the detection of the arch while nothing shows it yet. */
  seek: () => void;
  /** The curved surface that the panorama shows: the path moved by its depth. */
  wall: ArchPath | null;
  wallLook: WallLook;
  setWallLook: (change: Partial<WallLook>) => void;
  sectionLook: SectionLook;
  setSectionLook: (change: Partial<SectionLook>) => void;
  /** The cross-section through the crosshair, from 1, and the number of cross-sections. */
  section: number;
  sections: number;
  goToSection: (number: number) => void;
  wallView: ArchView | null;
  setWallView: (view: ArchView | null) => void;
  sectionView: ArchView | null;
  setSectionView: (view: ArchView | null) => void;
  alter: LiveMarks["alter"];
  boneOf: (implant: Implant) => BoneState;
  /** The next arch is drawn from its first point, even if there is one already. */
  beginAnew: () => void;
  isAnew: boolean;
  /** The size of the next implant. */
  size: ImplantSize;
  setSize: (size: ImplantSize) => void;
  /** Completes an annotation of these tools before it is saved. */
  completed: (mark: NewMark) => NewMark;
  /** Returns how an annotation of the panorama is measured: along the curved surface on which it was drawn. */
  rulerOf: (mark: Pick<Mark, "points" | "plane" | "settings">) => Pick<Ruler, "length" | "angle" | "between"> | null;
}

type NewMark = Omit<Mark, "id"> & { id?: string | undefined };

export const deepest = 15;

/** The dental arch of a volume with its panorama, its cross-sections, and the objects planned along it. */
export function useArch(
  store: VolumeStore,
  marks: Marks,
  owner: string | null,
  controls: CtControls,
  isWanted: boolean,
): Arch {
  const live = useLiveMarks(marks, owner);
  const plan = useMemo(() => planOf(live.list), [live.list]);
  const [isSought, setSought] = useState(false);
  const line = useArchLine(store, live, owner, marks.remove, isWanted || isSought);
  const [wallLook, setWallLook] = useState(firstWallLook);
  const [sectionLook, setSectionLook] = useState(firstSectionLook);
  const [wallView, setWallView] = useState<ArchView | null>(null);
  const [sectionView, setSectionView] = useState<ArchView | null>(null);
  const [size, setSize] = useState(firstSize);
  const [isAnew, setAnew] = useState(false);
  const { path, jaw } = line;
  const sections = useSections(path, sectionLook.spacing, controls, store);
  return {
    ...line,
    ...plan,
    ...useGaps(),
    ...sections,
    isShown: isWanted,
    seek: () => setSought(true),
    wall: useWall(store, line, wallLook),
    wallLook,
    setWallLook: (change) =>
      setWallLook((now) => {
        const next = { ...now, ...change };
        return { ...next, depth: Math.min(deepest, Math.max(-deepest, next.depth)) };
      }),
    sectionLook,
    setSectionLook: (change) => setSectionLook((now) => ({ ...now, ...change })),
    wallView,
    setWallView,
    sectionView,
    setSectionView,
    alter: live.alter,
    boneOf: ({ body }) => boneAround(store, body, path),
    size,
    setSize,
    beginAnew: () => setAnew(true),
    isAnew,
    completed: (mark) => {
      if (mark.tool === "arch") setAnew(false);
      return completed(mark, line, size, store);
    },
    rulerOf: ({ plane, settings, points }) => {
      if (plane !== "panorama") return null;
      const own = line.pathOf(settings?.["jaw"] === "upper" ? "upper" : settings?.["jaw"] === "lower" ? "lower" : jaw);
      return own && wallRuler(own, points.map(vectorOf));
    },
  };
}

/**
 * Returns the curved surface of the panorama: the path, moved by its depth, and bent to follow bone and teeth as soon
 * as the preview is loaded.
 */
function useWall(
  { preview }: VolumeStore,
  { path, points, up }: ArchLine,
  { depth, isBent }: WallLook,
): ArchPath | null {
  const bend = useMemo(
    () => (path && preview && isBent ? bendOf(preview.info, preview.values, path) : null),
    [path, preview, isBent],
  );
  const moved = JSON.stringify([points, up]);
  return useMemo(() => {
    const [control, upwards] = JSON.parse(moved) as [Vector[], Vector];
    const wall = depth === 0 ? path : archPath(control, upwards, depth);
    if (!wall || !path || !bend) return wall;
    return { ...wall, bend: depth === 0 ? bend : bendOver(bend, path, wall) };
  }, [path, moved, depth, bend]);
}

function completed(mark: NewMark, { jaw, up, markOf }: ArchLine, size: ImplantSize, { middle }: VolumeStore): NewMark {
  if (mark.id !== undefined) return mark;
  const own = { ...mark, plane: "volume" as const };
  if (mark.tool === "arch") return { ...own, id: markOf(jaw)?.id, settings: archSettings(jaw, up) };
  if (mark.tool === "implant") return implantDrawn({ ...own, settings: {} }, size, jaw, up);
  if (mark.tool === "root") return { ...own, settings: { ...rootSize } };
  if (mark.tool !== "canal") return mark.plane === "panorama" ? { ...mark, settings: { ...mark.settings, jaw } } : mark;
  const mean = mark.points.reduce((sum, [x = 0]) => sum + x / mark.points.length, 0);
  // The first axis of patient space runs to the patient's left.
  return { ...own, settings: { side: mean > middle[0] ? "left" : "right" } };
}

/** The crosshair determines the current cross-section; going to another one moves the crosshair. */
function useSections(
  path: ArchPath | null,
  spacing: number,
  controls: CtControls,
  { info }: VolumeStore,
): Pick<Arch, "section" | "sections" | "goToSection"> {
  const [aim, setAim] = useState<{ along: number; point: Vector } | null>(null);
  if (!path) return { section: 1, sections: 0, goToSection: () => {} };
  // The crosshair snaps to voxels, which may be nearer to the previous cross-section.
  const isAimed = aim !== null && distance(aim.point, controls.cross) <= Math.max(...info.spacing);
  const place = patientToWall(path, controls.cross);
  const sections = sectionCount(path, spacing);
  return {
    section: isAimed ? sectionNumber(path, spacing, aim.along) : sectionFor(path, spacing, controls.cross),
    sections,
    goToSection: (number) => {
      const to = sectionAlong(spacing, Math.min(sections, Math.max(1, number)));
      const point = wallToPatient(path, { along: to, height: place.height, out: 0 });
      setAim({ along: to, point });
      controls.setCross(point);
    },
  };
}
