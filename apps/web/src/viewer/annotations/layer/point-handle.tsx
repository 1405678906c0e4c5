import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import styles from "./annotation-layer.module.css";

interface PointHandleProps {
  at: Point2D;
  label: string;
  isActive: boolean;
  onChoose: () => void;
  onMove: (to: Point2D, isOver: boolean) => void;
  /** Called on a double press. */
  onEdit?: () => void;
  /** Called on the delete key; without it the key removes the whole annotation. */
  onRemove?: (() => void) | undefined;
  /** Called on Enter: adds one more point here. */
  onInsert?: (() => void) | undefined;
}

/** A point that can be dragged, or moved by the arrow keys. */
export function PointHandle({ at, label, isActive, onChoose, onMove, onEdit, onRemove, onInsert }: PointHandleProps) {
  const grabOffset = useRef<Point2D | null>(null);
  // A press alone moves nothing, and adds no undo step.
  const isMoved = useRef(false);
  const press = (event: PointerEvent<SVGCircleElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    grabOffset.current = [at[0] - event.clientX, at[1] - event.clientY];
    isMoved.current = false;
    onChoose();
  };
  const follow = (isOver: boolean) => (event: PointerEvent) => {
    if (!grabOffset.current) return;
    const to: Point2D = [event.clientX + grabOffset.current[0], event.clientY + grabOffset.current[1]];
    isMoved.current ||= Math.hypot(to[0] - at[0], to[1] - at[1]) > 1;
    if (isMoved.current) onMove(to, isOver);
    if (isOver) grabOffset.current = null;
  };
  const handleKey = (event: KeyboardEvent) => {
    if (onRemove && (event.key === "Delete" || event.key === "Backspace")) {
      event.preventDefault();
      return onRemove();
    }
    if (onInsert && event.key === "Enter") {
      event.preventDefault();
      return onInsert();
    }
    const [x, y] = arrowSteps[event.key] ?? [0, 0];
    if (x === 0 && y === 0) return;
    event.preventDefault();
    const stepLength = event.shiftKey ? 10 : 1;
    onMove([at[0] + x * stepLength, at[1] + y * stepLength], true);
  };
  return (
    <>
      <circle className={styles.dot} cx={at[0]} cy={at[1]} r={isActive ? 5 : 3} />
      <circle
        className={styles.grip}
        data-holds-press
        cx={at[0]}
        cy={at[1]}
        r={14}
        tabIndex={isActive ? 0 : -1}
        role="slider"
        aria-label={label}
        aria-valuenow={Math.round(at[0])}
        aria-valuetext={label}
        aria-keyshortcuts={[onInsert && "Enter", onRemove && "Delete"].filter(Boolean).join(" ") || undefined}
        onPointerDown={press}
        onPointerMove={follow(false)}
        onPointerUp={follow(true)}
        onPointerCancel={() => (grabOffset.current = null)}
        onDoubleClick={onEdit}
        onKeyDown={handleKey}
      />
    </>
  );
}

const arrowSteps: Record<string, Point2D> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
