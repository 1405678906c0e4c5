import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import { kindOf, type DrawnTool } from "./kind.ts";
import styles from "./marks-layer.module.css";

/** A mark in CSS pixels of its pane, with the words beside it. */
export interface ShownMark {
  id: string;
  tool: DrawnTool;
  points: readonly Spot[];
  label: string;
  isDraft?: boolean;
}

interface Props {
  marks: readonly ShownMark[];
  chosen: string | null;
  onChoose: (id: string | null) => void;
  /** A point was dragged, or moved by the arrow keys; `isOver` when the hand lets go. */
  onMove: (id: string, index: number, to: Spot, isOver: boolean) => void;
}

/** Marks over a picture or a plane: lines, handles that can be dragged or moved by arrow keys, and labels. */
export function MarksLayer({ marks, chosen, onChoose, onMove }: Props) {
  return (
    <svg className={styles.layer}>
      {marks.map((mark) => (
        <MarkShape key={mark.id} mark={mark} isChosen={mark.id === chosen} onChoose={onChoose} onMove={onMove} />
      ))}
    </svg>
  );
}

function MarkShape({
  mark,
  isChosen,
  onChoose,
  onMove,
}: { mark: ShownMark; isChosen: boolean } & Pick<Props, "onChoose" | "onMove">) {
  const kind = kindOf(mark.tool);
  const lines = (kind.lines?.(mark.points) ?? [mark.points]).map((line) => line.map(([x, y]) => `${x},${y}`).join(" "));
  const [labelX, labelY] = labelPlace(mark.points, kind.labelAt);
  const choose = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    onChoose(mark.id);
  };
  return (
    <g className={mark.isDraft ? styles.draft : isChosen ? styles.chosen : styles.mark}>
      {lines.map((line, at) => (
        <polyline key={at} className={styles.shadow} points={line} />
      ))}
      {lines.map((line, at) => (
        <polyline key={at} className={styles.line} points={line} />
      ))}
      {!mark.isDraft && (
        <path
          className={styles.hit}
          d={lines.map((line) => `M${line}`).join("")}
          data-holds-press
          tabIndex={0}
          role="button"
          aria-label={mark.label}
          aria-pressed={isChosen}
          onPointerDown={choose}
          onFocus={() => onChoose(mark.id)}
        />
      )}
      {mark.points.map((at, index) => (
        <Handle
          key={index}
          at={at}
          label={mark.label}
          isFree={isChosen}
          onChoose={() => onChoose(mark.id)}
          onMove={(to, isOver) => onMove(mark.id, index, to, isOver)}
        />
      ))}
      <text className={styles.label} x={labelX} y={labelY}>
        {mark.label}
      </text>
    </g>
  );
}

interface HandleProps {
  at: Spot;
  label: string;
  isFree: boolean;
  onChoose: () => void;
  onMove: (to: Spot, isOver: boolean) => void;
}

function Handle({ at, label, isFree, onChoose, onMove }: HandleProps) {
  const grip = useRef<Spot | null>(null);
  const press = (event: PointerEvent<SVGCircleElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = [at[0] - event.clientX, at[1] - event.clientY];
    onChoose();
  };
  const follow = (isOver: boolean) => (event: PointerEvent) => {
    if (!grip.current) return;
    onMove([event.clientX + grip.current[0], event.clientY + grip.current[1]], isOver);
    if (isOver) grip.current = null;
  };
  const byKey = (event: KeyboardEvent) => {
    const [x, y] = steps[event.key] ?? [0, 0];
    if (x === 0 && y === 0) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    onMove([at[0] + x * far, at[1] + y * far], true);
  };
  return (
    <>
      <circle className={styles.dot} cx={at[0]} cy={at[1]} r={isFree ? 5 : 3} />
      <circle
        className={styles.grip}
        data-holds-press
        cx={at[0]}
        cy={at[1]}
        r={14}
        tabIndex={isFree ? 0 : -1}
        role="slider"
        aria-label={label}
        aria-valuenow={Math.round(at[0])}
        aria-valuetext={label}
        onPointerDown={press}
        onPointerMove={follow(false)}
        onPointerUp={follow(true)}
        onPointerCancel={() => (grip.current = null)}
        onKeyDown={byKey}
      />
    </>
  );
}

const steps: Record<string, Spot> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const labelPlace = (points: readonly Spot[], at = points.length - 1): Spot => {
  const [x, y] = points[at] ?? [0, 0];
  return [x + 10, y - 8];
};
