import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { projectToScreen, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import { projectOntoPlane } from "@arcada/imaging/view/section-plane";
import { dot, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import styles from "./section-handles.module.css";
import type { CutLine } from "../use-model-pointer-handler.ts";
import type { Section } from "./use-section.ts";

interface Props {
  section: Section;
  camera: ModelCamera;
  size: Size;
  line: CutLine;
}

/**
 * Handles on the plane: one moves it along its normal, one rotates it; and the line along which a plane is being cut.
 */
export function SectionHandles({ section, camera, size, line }: Props) {
  const t = useTexts("viewer");
  const { shown } = section;
  const middle = shown && projectOntoPlane(shown.plane, camera.target);
  const arm = 90 / camera.scale;
  const tip = shown && middle && plus(middle, times(shown.plane.normal, arm));
  const [from, end] = [middle && projectToScreen(camera, size, middle), tip && projectToScreen(camera, size, tip)];
  // Seen face-on, the normal has no direction on the screen, so its handle is placed beside it.
  const isStraight = from && end ? Math.hypot(end[0] - from[0], end[1] - from[1]) < 24 : false;
  const to = from && isStraight ? ([from[0] + 48, from[1] - 48] as const) : end;
  const move = ([x, y]: Point2D) => {
    if (!shown || !from || !to) return;
    const along: Point2D = [to[0] - from[0], to[1] - from[1]];
    const squared = along[0] ** 2 + along[1] ** 2;
    const mm = isStraight ? -y / camera.scale : ((x * along[0] + y * along[1]) / squared) * arm;
    section.moveBy(mm);
  };
  const turn = ([x, y]: Point2D) => {
    if (!middle || !shown) return;
    const facing = dot(shown.plane.normal, camera.eye) < 0 ? -1 : 1;
    rotateBy(section, middle, camera.up, (facing * x) / 90);
    rotateBy(section, middle, camera.right, (facing * y) / 90);
  };
  return (
    <svg className={styles.layer}>
      {line && <line className={styles.cut} x1={line[0][0]} y1={line[0][1]} x2={line[1][0]} y2={line[1][1]} />}
      {from && to && (
        <>
          <line className={styles.arm} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
          <DragHandle at={from} label={t("viewer.model.section.move")} kind="move" step={2} onDrag={move} />
          <DragHandle at={to} label={t("viewer.model.section.turn")} kind="turn" step={1.6} onDrag={turn} />
        </>
      )}
    </svg>
  );
}

const rotateBy = (section: Section, about: Vector, axis: Vector, angle: number): void => {
  if (angle !== 0) section.rotate(about, axis, angle);
};

interface DragHandleProps {
  at: Point2D;
  label: string;
  kind: "move" | "turn";
  /** CSS pixels for each press of an arrow key. */
  step: number;
  onDrag: (by: Point2D) => void;
}

function DragHandle({ at, label, kind, step, onDrag }: DragHandleProps) {
  const last = useRef<Point2D | null>(null);
  const press = (event: PointerEvent<SVGGElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = [event.clientX, event.clientY];
  };
  const follow = (event: PointerEvent) => {
    if (!last.current) return;
    const [x, y] = last.current;
    last.current = [event.clientX, event.clientY];
    onDrag([event.clientX - x, event.clientY - y]);
  };
  const byKey = (event: KeyboardEvent) => {
    const direction = arrowDirections[event.key];
    if (!direction) return;
    event.preventDefault();
    const far = step * (event.shiftKey ? 5 : 1);
    onDrag([direction[0] * far, direction[1] * far]);
  };
  return (
    <g
      className={kind === "move" ? styles.mover : styles.turner}
      data-holds-press
      tabIndex={0}
      role="slider"
      aria-label={label}
      aria-valuenow={0}
      aria-valuetext={label}
      onPointerDown={press}
      onPointerMove={follow}
      onPointerUp={() => (last.current = null)}
      onPointerCancel={() => (last.current = null)}
      onKeyDown={byKey}
    >
      <circle className={styles.room} cx={at[0]} cy={at[1]} r={18} />
      <circle className={styles.knob} cx={at[0]} cy={at[1]} r={kind === "move" ? 8 : 6} />
    </g>
  );
}

const arrowDirections: Record<string, Point2D> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
