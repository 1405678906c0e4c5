import { useMemo, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import { fitBend, transferBend } from "@arcada/imaging/arch/fit-surface-bend";
import {
  createCurvedSurface,
  patientToCurvedSurface,
  curvedSurfaceToPatient,
  type CurvedSurface,
} from "@arcada/imaging/arch/curved-surface";
import {
  getCrossSectionPosition,
  countCrossSections,
  findCrossSectionNumber,
} from "@arcada/imaging/arch/cross-section";
import { distance, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import type { Ruler } from "../../annotations/annotation-kind-types.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../loading/volume-store.ts";
import {
  initialCrossSectionSettings,
  initialPanoramaSettings,
  findCrossSection,
  type ArchView,
  type CrossSectionSettings,
  type PanoramaSettings,
} from "@arcada/imaging/arch/arch-display-settings";
import { checkBoneAround } from "./implant-plan/check-bone-around.ts";
import {
  defaultImplantSize,
  completeImplant,
  buildPlan,
  defaultRootSize,
  type Implant,
  type ImplantSize,
  type Plan,
} from "./implant-plan/implant-plan.ts";
import type { BoneState } from "./implant-plan/plan-warnings.ts";
import { buildArchSettings } from "../../ct-core/arch-annotation.ts";
import { useCanalTracing, type CanalTracing } from "./canal/use-canal-tracing.ts";
import { useArchLine, type ArchLine } from "./use-arch-line.ts";
import { useSafetyDistances, type SafetyDistanceControls } from "./implant-plan/use-safety-distances.ts";
import {
  useSuggestedStructures,
  type MeasuredVolume,
  type Suggestions,
} from "./implant-plan/suggestions/use-suggested-structures.ts";
import { useLiveAnnotations, type LiveAnnotations } from "./use-dragged-annotations.ts";
import { nameBend, findFirstPaintBend } from "../../first-paint/first-paint-bend.ts";
import { createPanoramaRuler } from "./panorama/measure-in-panorama.ts";

export interface Arch extends ArchLine, Plan, SafetyDistanceControls, Pick<Suggestions, "hideSuggestion"> {
  /** True if a panorama or cross-sections are on the screen. */
  isShown: boolean;
  /** Starts the detection of the arch while nothing shows it yet. */
  startDetection: () => void;
  /** The curved surface that the panorama shows: the path moved by its depth. */
  curvedSurface: CurvedSurface | null;
  panoramaSettings: PanoramaSettings;
  setPanoramaSettings: (change: Partial<PanoramaSettings>) => void;
  crossSectionSettings: CrossSectionSettings;
  setCrossSectionSettings: (change: Partial<CrossSectionSettings>) => void;
  /** The cross-section through the crosshair, from 1, and the number of cross-sections. */
  currentCrossSection: number;
  crossSectionCount: number;
  goToCrossSection: (number: number) => void;
  panoramaView: ArchView | null;
  setPanoramaView: (view: ArchView | null) => void;
  crossSectionView: ArchView | null;
  setCrossSectionView: (view: ArchView | null) => void;
  alter: LiveAnnotations["alter"];
  canalTracing: CanalTracing;
  checkBone: (implant: Implant) => BoneState;
  /** The next arch is drawn from its first point, even if there is one already. */
  beginNewArch: () => void;
  isNewArch: boolean;
  /** The size of the next implant. */
  size: ImplantSize;
  setSize: (size: ImplantSize) => void;
  /** Completes an annotation of these tools before it is saved. */
  completeAnnotation: (annotation: NewAnnotation) => NewAnnotation;
  /** Returns how an annotation of the panorama is measured: along the curved surface on which it was drawn. */
  getRuler: (
    annotation: Pick<Annotation, "points" | "plane" | "settings">,
  ) => Pick<Ruler, "length" | "angle" | "lineAngle"> | null;
}

type NewAnnotation = Omit<Annotation, "id"> & { id?: string | undefined };

export const maxDepthMm = 15;

/** The dental arch of a volume with its panorama, its cross-sections, and the objects planned along it. */
export function useArch(
  store: VolumeStore,
  annotations: AnnotationStore,
  volume: MeasuredVolume,
  controls: CtControls,
  isWanted: boolean,
): Arch {
  const { owner } = volume;
  const live = useLiveAnnotations(annotations, owner);
  const { suggested, hideSuggestion } = useSuggestedStructures(volume, isWanted || live.list.length > 0);
  const plan = useMemo(() => buildPlan(live.list, suggested), [live.list, suggested]);
  const [isDetectionRequested, setDetectionRequested] = useState(false);
  const line = useArchLine(store, live, owner, annotations.remove, isWanted || isDetectionRequested);
  const [panoramaSettings, setPanoramaSettings] = useState(initialPanoramaSettings);
  const [crossSectionSettings, setCrossSectionSettings] = useState(initialCrossSectionSettings);
  const [panoramaView, setPanoramaView] = useState<ArchView | null>(null);
  const [crossSectionView, setCrossSectionView] = useState<ArchView | null>(null);
  const [size, setSize] = useState(defaultImplantSize);
  const [isNewArch, setNewArch] = useState(false);
  const { path, jaw } = line;
  const crossSections = useCrossSections(path, crossSectionSettings.spacing, controls, store);
  return {
    ...line,
    ...plan,
    hideSuggestion,
    ...useSafetyDistances(),
    ...crossSections,
    isShown: isWanted,
    startDetection: () => setDetectionRequested(true),
    curvedSurface: useCurvedSurface(owner, store, line, panoramaSettings),
    panoramaSettings,
    setPanoramaSettings: (change) =>
      setPanoramaSettings((now) => {
        const next = { ...now, ...change };
        return { ...next, depth: Math.min(maxDepthMm, Math.max(-maxDepthMm, next.depth)) };
      }),
    crossSectionSettings,
    setCrossSectionSettings: (change) => setCrossSectionSettings((now) => ({ ...now, ...change })),
    panoramaView,
    setPanoramaView,
    crossSectionView,
    setCrossSectionView,
    alter: live.alter,
    canalTracing: useCanalTracing(store, annotations, controls),
    checkBone: ({ body }) => checkBoneAround(store, body, path),
    size,
    setSize,
    beginNewArch: () => setNewArch(true),
    isNewArch,
    completeAnnotation: (annotation) => {
      if (annotation.tool === "arch") setNewArch(false);
      return completeAnnotation(annotation, line, size, store);
    },
    getRuler: ({ plane, settings, points }) => {
      if (plane !== "panorama") return null;
      const own = line.getPath(settings?.["jaw"] === "upper" ? "upper" : settings?.["jaw"] === "lower" ? "lower" : jaw);
      return own && createPanoramaRuler(own, points.map(toVector));
    },
  };
}

/**
 * Returns the curved surface of the panorama: the path, moved by its depth, and bent to follow bone and teeth as soon
 * as the preview is loaded.
 */
function useCurvedSurface(
  owner: string | null,
  { preview }: VolumeStore,
  { path, points, up }: ArchLine,
  { depth, isBent }: PanoramaSettings,
): CurvedSurface | null {
  const serialized = JSON.stringify([points, up]);
  const bend = useMemo(() => {
    if (!path || !preview || !isBent) return null;
    const { info, values } = preview;
    const [control, upwards] = JSON.parse(serialized) as [Vector[], Vector];
    const fitted = findFirstPaintBend(nameBend(owner, control, upwards, info));
    return fitted === undefined ? fitBend(info, values, path) : fitted;
  }, [owner, path, serialized, preview, isBent]);
  return useMemo(() => {
    const [control, upwards] = JSON.parse(serialized) as [Vector[], Vector];
    const curvedSurface = depth === 0 ? path : createCurvedSurface(control, upwards, depth);
    if (!curvedSurface || !path || !bend) return curvedSurface;
    return { ...curvedSurface, bend: depth === 0 ? bend : transferBend(bend, path, curvedSurface) };
  }, [path, serialized, depth, bend]);
}

function completeAnnotation(
  annotation: NewAnnotation,
  { jaw, up, findAnnotation: annotationOf }: ArchLine,
  size: ImplantSize,
  { middle }: VolumeStore,
): NewAnnotation {
  if (annotation.id !== undefined) return annotation;
  const own = { ...annotation, plane: "volume" as const };
  if (annotation.tool === "arch") return { ...own, id: annotationOf(jaw)?.id, settings: buildArchSettings(jaw, up) };
  if (annotation.tool === "implant") return completeImplant({ ...own, settings: {} }, size, jaw, up);
  if (annotation.tool === "root") return { ...own, settings: { ...defaultRootSize } };
  if (annotation.tool !== "canal" && annotation.tool !== "sinus")
    return annotation.plane === "panorama" ? { ...annotation, settings: { ...annotation.settings, jaw } } : annotation;
  const mean = annotation.points.reduce((sum, [x = 0]) => sum + x / annotation.points.length, 0);
  // The first axis of patient space runs to the patient's left.
  return { ...own, settings: { side: mean > middle[0] ? "left" : "right" } };
}

/** The crosshair determines the current cross-section; going to another one moves the crosshair. */
function useCrossSections(
  path: CurvedSurface | null,
  spacing: number,
  controls: CtControls,
  { info }: VolumeStore,
): Pick<Arch, "currentCrossSection" | "crossSectionCount" | "goToCrossSection"> {
  const [aim, setAim] = useState<{ along: number; point: Vector } | null>(null);
  if (!path) return { currentCrossSection: 1, crossSectionCount: 0, goToCrossSection: () => {} };
  // The crosshair snaps to voxels, which may be nearer to the previous cross-section.
  const isAimed = aim !== null && distance(aim.point, controls.crosshair) <= Math.max(...info.spacing);
  const position = patientToCurvedSurface(path, controls.crosshair);
  const crossSections = countCrossSections(path, spacing);
  return {
    currentCrossSection: isAimed
      ? findCrossSectionNumber(path, spacing, aim.along)
      : findCrossSection(path, spacing, controls.crosshair),
    crossSectionCount: crossSections,
    goToCrossSection: (number) => {
      const to = getCrossSectionPosition(spacing, Math.min(crossSections, Math.max(1, number)));
      const point = curvedSurfaceToPatient(path, { along: to, height: position.height, out: 0 });
      setAim({ along: to, point });
      controls.setCrosshair(point);
    },
  };
}
