import { useMemo, useRef, type PointerEvent } from "react";
import type { CephContent, CephLandmark, CephSpot } from "@arcada/contract/ceph/ceph.shape";
import { entriesOf } from "@arcada/analysis/ceph/frame";
import { filmOutlines } from "@arcada/analysis/ceph/on-film";
import { landmarkSign } from "@arcada/analysis/ceph/signs";
import type { Spot } from "@arcada/imaging/view/measure";
import { applied, type Affine } from "@arcada/imaging/view/picture-view";
import { useTexts } from "../../kernel/texts.ts";
import type { Held } from "./ceph-stage.tsx";
import styles from "./ceph-layer.module.css";
import type { Ruling } from "./use-ruling.ts";

interface Props {
  content: CephContent;
  matrix: Affine;
  shows: { labels: boolean; lines: boolean };
  active: CephLandmark | null;
  /** The place at which an analysis engine found the active landmark. */
  suggested: readonly [number, number] | null;
  /** The outline of the face that an analysis engine found. */
  profile: readonly (readonly [number, number])[] | null;
  ruling: Ruling;
  mayMove: boolean;
  spotOf: (at: Spot) => CephSpot;
  onChoose: (landmark: CephLandmark) => void;
  onHold: (held: Held | null, at: Spot) => void;
  onPlace: (landmark: CephLandmark, spot: CephSpot) => void;
}

/** The tracing over the radiograph: outlines, planes, landmarks that can be dragged, and the proposals of engines. */
export function CephLayer({ content, matrix, shows, active, suggested, profile, ruling, ...hand }: Props) {
  const t = useTexts("ceph");
  const lines = useMemo(() => (shows.lines ? filmOutlines(content) : []), [content, shows.lines]);
  const isPlacing = active !== null && !content.landmarks[active];
  const path = (points: readonly (readonly [number, number])[]) =>
    `M${points.map((point) => applied(matrix, point).map(round).join(",")).join(" ")}`;
  const ruled =
    ruling.points ?? (content.calibration?.line ? [content.calibration.line.from, content.calibration.line.to] : []);
  return (
    <svg className={styles.layer}>
      {profile && <path className={styles.proposed} d={path(profile)} />}
      {lines.map(({ name, tissue, points }) => (
        <path key={name} className={styles[tissue]} d={path(points)} />
      ))}
      {ruled.length > 0 && <path className={styles.ruler} d={path(ruled)} />}
      {ruled.map((point, at) => (
        <Ring key={at} at={applied(matrix, point)} className={styles.ruler} />
      ))}
      {suggested && active && !content.landmarks[active] && (
        <Ring at={applied(matrix, suggested)} className={styles.proposed} />
      )}
      {entriesOf(content.landmarks).map(([id, place]) => (
        <Landmark
          key={id}
          {...hand}
          id={id}
          at={applied(matrix, place)}
          isActive={id === active}
          label={shows.labels ? landmarkSign(id) : ""}
          reach={isPlacing ? reaches.placing : reaches.correcting}
          isPassed={isPlacing}
          name={t("ceph.guide.handle", { sign: landmarkSign(id) })}
        />
      ))}
    </svg>
  );
}

/** While a landmark is being placed, its neighbours must not catch the pointer. */
const reaches = { placing: 4, correcting: 11 } as const;

const round = (value: number): number => Math.round(value * 10) / 10;
const Ring = ({ at: [x, y], className }: { at: Spot; className: string | undefined }) => (
  <circle className={className} cx={x} cy={y} r={6} />
);

interface LandmarkProps extends Pick<Props, "mayMove" | "spotOf" | "onChoose" | "onHold" | "onPlace"> {
  id: CephLandmark;
  at: Spot;
  isActive: boolean;
  label: string;
  name: string;
  /** Radius in CSS pixels within which the pointer grabs it. */
  reach: number;
  /**
   * True while another landmark is being placed: a touch, which browsers snap to nearby targets, does not grab this
   * one.
   */
  isPassed: boolean;
}

function Landmark({ at: [x, y], isActive, label, name, mayMove, reach, isPassed, ...rest }: LandmarkProps) {
  const { press, follow, leave, drop } = useGrip([x, y], mayMove, rest);
  return (
    <g className={isActive ? styles.active : styles.landmark}>
      <circle className={styles.dot} cx={x} cy={y} r={isActive ? 4 : 2.5} />
      {label && (
        <text className={styles.label} x={x + 7} y={y - 5} direction="ltr">
          {label}
        </text>
      )}
      <circle
        className={mayMove ? `${styles.grip} ${isPassed ? styles.passed : ""}` : styles.still}
        data-holds-press={mayMove ? true : undefined}
        cx={x}
        cy={y}
        r={reach}
        role="button"
        aria-label={name}
        aria-pressed={isActive}
        tabIndex={mayMove ? 0 : -1}
        onFocus={() => mayMove && rest.onChoose(rest.id)}
        onPointerDown={press}
        onPointerMove={follow}
        onPointerUp={leave}
        onPointerCancel={drop}
      />
    </g>
  );
}

type Grip = Pick<LandmarkProps, "id" | "spotOf" | "onChoose" | "onHold" | "onPlace">;

/** Drags a landmark: the point at which it was grabbed stays under the pointer. */
function useGrip([x, y]: Spot, mayMove: boolean, { id, spotOf, onChoose, onHold, onPlace }: Grip) {
  const grip = useRef<{ by: Spot; from: Spot } | null>(null);
  const spot = ({ clientX, clientY }: PointerEvent, { by }: { by: Spot }): Spot => [clientX + by[0], clientY + by[1]];
  return {
    press: (event: PointerEvent<SVGCircleElement>) => {
      if (event.button !== 0 || !mayMove) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      grip.current = { by: [x - event.clientX, y - event.clientY], from: [x, y] };
      onChoose(id);
    },
    follow: (event: PointerEvent) => {
      const held = grip.current;
      if (held) onHold({ landmark: id, spot: spotOf(spot(event, held)) }, spot(event, held));
    },
    leave: (event: PointerEvent) => {
      const held = grip.current;
      if (!held) return;
      grip.current = null;
      const to = spot(event, held);
      // A press without movement only selects.
      if (Math.hypot(to[0] - held.from[0], to[1] - held.from[1]) > 0.5) onPlace(id, spotOf(to));
      else onHold(null, to);
    },
    drop: () => {
      grip.current = null;
      onHold(null, [x, y]);
    },
  };
}
