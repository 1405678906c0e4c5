import { useMemo, useRef, type PointerEvent } from "react";
import type { CephContent, CephLandmark, CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import { landmarkEntries } from "@arcada/analysis/ceph/normalised-tracing";
import { imageOutlines } from "@arcada/analysis/ceph/outlines-in-image-pixels";
import { landmarkLabel } from "@arcada/analysis/ceph/literature-labels";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { applyAffine, type Affine } from "@arcada/imaging/view/image-view";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./tracing-layer.module.css";
import type { PointCalibration } from "./use-point-calibration.ts";
import type { DraggedLandmark } from "./use-landmark-guide.ts";

/** A position at which a landmark probably is. */
export interface LandmarkSuggestion {
  id: CephLandmark;
  at: CephImagePoint;
  /** The radius in which the true place may lie, in pixels of the file; null if that is not known. */
  spread: number | null;
}

interface Props {
  content: CephContent;
  matrix: Affine;
  visibility: { labels: boolean; lines: boolean };
  active: CephLandmark | null;
  /** Drawn dashed: none of them counts until it is confirmed or moved. */
  suggestions: readonly LandmarkSuggestion[];
  /** The first and the last mark of a ruler that was found and is not used. */
  foundRuler: readonly [CephImagePoint, CephImagePoint] | null;
  /** The outline of the face that an analysis engine found. */
  profile: readonly (readonly [number, number])[] | null;
  pointCalibration: PointCalibration;
  mayMove: boolean;
  toImagePoint: (at: Point2D) => CephImagePoint;
  onChoose: (landmark: CephLandmark) => void;
  onDrag: (dragged: DraggedLandmark | null, at: Point2D) => void;
  onPlace: (landmark: CephLandmark, spot: CephImagePoint) => void;
}

/** The tracing over the radiograph: outlines, planes, landmarks that can be dragged, and the proposals of engines. */
export function TracingLayer({
  content,
  matrix,
  visibility,
  active,
  suggestions,
  foundRuler,
  profile,
  pointCalibration,
  ...handlers
}: Props) {
  const t = useTexts("ceph");
  const lines = useMemo(() => (visibility.lines ? imageOutlines(content) : []), [content, visibility.lines]);
  const isPlacing = active !== null && !content.landmarks[active];
  const path = (points: readonly (readonly [number, number])[]) =>
    `M${points.map((point) => applyAffine(matrix, point).map(roundToTenth).join(",")).join(" ")}`;
  const rulerPoints =
    pointCalibration.points ??
    (content.calibration?.line ? [content.calibration.line.from, content.calibration.line.to] : []);
  return (
    <svg className={styles.layer}>
      {profile && <path className={styles.proposed} d={path(profile)} />}
      {lines.map(({ name, tissue, points }) => (
        <path key={name} className={styles[tissue]} d={path(points)} />
      ))}
      {rulerPoints.length > 0 && <path className={styles.ruler} d={path(rulerPoints)} />}
      {rulerPoints.map((point, at) => (
        <Ring key={at} at={applyAffine(matrix, point)} className={styles.ruler} />
      ))}
      {foundRuler && <path className={styles.proposed} d={path(foundRuler)} />}
      {suggestions.map(({ id, at, spread }) => (
        <Suggestion
          key={id}
          at={applyAffine(matrix, at)}
          spread={spread === null ? 0 : spread * measureScale(matrix)}
          isActive={id === active}
          label={visibility.labels || id === active ? landmarkLabel(id) : ""}
        />
      ))}
      {landmarkEntries(content.landmarks).map(([id, place]) => (
        <Landmark
          key={id}
          {...handlers}
          id={id}
          at={applyAffine(matrix, place)}
          isActive={id === active}
          label={visibility.labels ? landmarkLabel(id) : ""}
          grabRadius={isPlacing ? grabRadii.placing : grabRadii.correcting}
          ignoresTouch={isPlacing}
          name={t("ceph.guide.handle", { sign: landmarkLabel(id) })}
        />
      ))}
    </svg>
  );
}

/** While a landmark is being placed, its neighbours must not catch the pointer. */
const grabRadii = { placing: 4, correcting: 11 } as const;

/** CSS pixels in a pixel of the file. */
const measureScale = ({ a, b, c, d }: Affine): number => Math.sqrt(Math.abs(a * d - b * c));

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
const Ring = ({ at: [x, y], className }: { at: Point2D; className: string | undefined }) => (
  <circle className={className} cx={x} cy={y} r={6} />
);

interface SuggestionProps {
  at: Point2D;
  /** In CSS pixels; 0 if not known. */
  spread: number;
  isActive: boolean;
  label: string;
}

/** The ring of the active suggestion is as large as the engine's doubt; the others stay small, or they would hide the film. */
function Suggestion({ at: [x, y], spread, isActive, label }: SuggestionProps) {
  return (
    <g className={isActive ? styles.activeSuggestion : styles.suggestion}>
      <circle cx={x} cy={y} r={isActive ? Math.max(9, spread) : 5} />
      <circle className={styles.centre} cx={x} cy={y} r={1} />
      {label && (
        <text className={styles.label} x={x + 10} y={y - 7} direction="ltr">
          {label}
        </text>
      )}
    </g>
  );
}

interface LandmarkProps extends Pick<Props, "mayMove" | "toImagePoint" | "onChoose" | "onDrag" | "onPlace"> {
  id: CephLandmark;
  at: Point2D;
  isActive: boolean;
  label: string;
  name: string;
  /** Radius in CSS pixels within which the pointer grabs it. */
  grabRadius: number;
  /**
   * True while another landmark is being placed: a touch, which browsers snap to nearby targets, does not grab this
   * one.
   */
  ignoresTouch: boolean;
}

function Landmark({ at: [x, y], isActive, label, name, mayMove, grabRadius, ignoresTouch, ...rest }: LandmarkProps) {
  const { press, drag, release, cancel } = useLandmarkDrag([x, y], mayMove, rest);
  return (
    <g className={isActive ? styles.active : styles.landmark}>
      <circle className={styles.dot} cx={x} cy={y} r={isActive ? 4 : 2.5} />
      {label && (
        <text className={styles.label} x={x + 7} y={y - 5} direction="ltr">
          {label}
        </text>
      )}
      <circle
        className={mayMove ? `${styles.grip} ${ignoresTouch ? styles.passed : ""}` : styles.still}
        data-holds-press={mayMove ? true : undefined}
        cx={x}
        cy={y}
        r={grabRadius}
        role="button"
        aria-label={name}
        aria-pressed={isActive}
        tabIndex={mayMove ? 0 : -1}
        onFocus={() => mayMove && rest.onChoose(rest.id)}
        onPointerDown={press}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={cancel}
      />
    </g>
  );
}

type LandmarkDragOptions = Pick<LandmarkProps, "id" | "toImagePoint" | "onChoose" | "onDrag" | "onPlace">;

/** Drags a landmark: the point at which it was grabbed stays under the pointer. */
function useLandmarkDrag(
  [x, y]: Point2D,
  mayMove: boolean,
  { id, toImagePoint, onChoose, onDrag, onPlace }: LandmarkDragOptions,
) {
  const grab = useRef<{ by: Point2D; from: Point2D } | null>(null);
  const toPointerPosition = ({ clientX, clientY }: PointerEvent, { by }: { by: Point2D }): Point2D => [
    clientX + by[0],
    clientY + by[1],
  ];
  return {
    press: (event: PointerEvent<SVGCircleElement>) => {
      if (event.button !== 0 || !mayMove) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      grab.current = { by: [x - event.clientX, y - event.clientY], from: [x, y] };
      onChoose(id);
    },
    drag: (event: PointerEvent) => {
      const dragged = grab.current;
      if (dragged)
        onDrag(
          { landmark: id, spot: toImagePoint(toPointerPosition(event, dragged)) },
          toPointerPosition(event, dragged),
        );
    },
    release: (event: PointerEvent) => {
      const dragged = grab.current;
      if (!dragged) return;
      grab.current = null;
      const to = toPointerPosition(event, dragged);
      // A press without movement only selects.
      if (Math.hypot(to[0] - dragged.from[0], to[1] - dragged.from[1]) > 0.5) onPlace(id, toImagePoint(to));
      else onDrag(null, to);
    },
    cancel: () => {
      grab.current = null;
      onDrag(null, [x, y]);
    },
  };
}
