import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import { useTexts } from "../../kernel/texts.ts";
import { kindOf, type DrawnTool } from "./kind.ts";
import { MarkEditor } from "./mark-editor.tsx";
import styles from "./marks-layer.module.css";
import type { Drawing } from "./use-drawing.ts";

/** A mark in CSS pixels of its pane, with the words beside it. */
export interface ShownMark {
  id: string;
  tool: DrawnTool;
  points: readonly Spot[];
  label: string;
  isDraft?: boolean;
  /** Its lines where the viewer makes them in its own coordinates: what is upright there may be turned on the screen. */
  lines?: Lines;
  guides?: Lines;
}

export type Lines = readonly (readonly Spot[])[];

interface Props {
  marks: readonly ShownMark[];
  chosen: string | null;
  onChoose: (id: string | null) => void;
  /** A point was dragged, or moved by the arrow keys; `isOver` when the hand lets go. */
  onMove: (id: string, index: number, to: Spot, isOver: boolean) => void;
  /** Lets words, teeth and lengths be asked for beside their marks. */
  editing?: Pick<Drawing<never>, "asked" | "ask" | "answer">;
}

/** Marks over a picture or a plane: lines, handles that can be dragged or moved by arrow keys, and labels. */
export function MarksLayer({ marks, chosen, onChoose, onMove, editing }: Props) {
  const asked = editing?.asked;
  const askedAt = asked && marks.find(({ id }) => id === asked.id);
  return (
    <>
      <svg className={styles.layer}>
        {marks.map((mark) => (
          <MarkShape
            key={mark.id}
            mark={mark}
            isChosen={mark.id === chosen}
            onChoose={onChoose}
            onMove={onMove}
            onAsk={editing?.ask}
          />
        ))}
      </svg>
      {asked && askedAt && (
        <MarkEditor
          key={asked.id}
          mark={asked}
          at={anchorOf(askedAt.points, kindOf(asked.tool).labelAt)}
          onAnswer={editing.answer}
        />
      )}
    </>
  );
}

interface ShapeProps extends Pick<Props, "onChoose" | "onMove"> {
  mark: ShownMark;
  isChosen: boolean;
  onAsk: ((id: string) => void) | undefined;
}

function MarkShape({ mark, isChosen, onChoose, onMove, onAsk }: ShapeProps) {
  const t = useTexts("viewer");
  const kind = kindOf(mark.tool);
  const lines = (mark.lines ?? kind.lines?.(mark.points) ?? [mark.points]).map(pathOf);
  const guides = (mark.guides ?? kind.guides?.(mark.points) ?? []).map(pathOf);
  const name = `${t(`viewer.tool.${mark.tool}`)} ${mark.label.replaceAll("\n", ", ")}`;
  const choose = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    onChoose(mark.id);
  };
  return (
    <g className={mark.isDraft ? styles.draft : isChosen ? styles.chosen : styles.mark}>
      <path className={styles.guide} d={guides.join("")} />
      <path className={styles.shadow} d={lines.join("")} />
      <path className={styles.line} d={lines.join("")} />
      {kind.tip !== undefined && <path className={styles.tip} d={tipOf(mark.points, kind.tip)} />}
      {!mark.isDraft && (
        <path
          className={styles.hit}
          // A point alone is a dot to be pressed.
          d={mark.points.length === 1 ? `${lines.join("")}Z` : lines.join("")}
          data-holds-press
          tabIndex={0}
          role="button"
          aria-label={name}
          aria-pressed={isChosen}
          onPointerDown={choose}
          onDoubleClick={() => onAsk?.(mark.id)}
          onFocus={() => onChoose(mark.id)}
        />
      )}
      {mark.points.map((at, index) => (
        <Handle
          key={index}
          at={at}
          label={name}
          isFree={isChosen}
          onChoose={() => onChoose(mark.id)}
          onMove={(to, isOver) => onMove(mark.id, index, to, isOver)}
          onAsk={() => onAsk?.(mark.id)}
        />
      ))}
      <Label mark={mark} />
    </g>
  );
}

function Label({ mark: { label, points, tool } }: { mark: ShownMark }) {
  const [x, y] = anchorOf(points, kindOf(tool).labelAt);
  const rows = label.split("\n");
  return (
    <text className={styles.label} x={x + 10} y={y - 8 - (rows.length - 1) * 16}>
      {rows.map((row, at) => (
        <tspan key={at} x={x + 10} dy={at === 0 ? 0 : 16}>
          {row}
        </tspan>
      ))}
    </text>
  );
}

const pathOf = (line: readonly Spot[]): string =>
  line.length === 0 ? "" : `M${line.map(([x, y]) => `${x},${y}`).join(" ")}`;

/** The head of an arrow on one end of its line. */
function tipOf(points: readonly Spot[], at: number): string {
  const [tip, other] = [points[at], points[1 - at]];
  if (!tip || !other) return "";
  const turn = Math.atan2(other[1] - tip[1], other[0] - tip[0]);
  const wing = (side: number) => `${tip[0] + 14 * Math.cos(turn + side)},${tip[1] + 14 * Math.sin(turn + side)}`;
  return `M${wing(0.42)} ${tip[0]},${tip[1]} ${wing(-0.42)}Z`;
}

interface HandleProps {
  at: Spot;
  label: string;
  isFree: boolean;
  onChoose: () => void;
  onMove: (to: Spot, isOver: boolean) => void;
  onAsk: () => void;
}

function Handle({ at, label, isFree, onChoose, onMove, onAsk }: HandleProps) {
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
        onDoubleClick={onAsk}
        onKeyDown={byKey}
      />
    </>
  );
}

const steps: Record<string, Spot> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const anchorOf = (points: readonly Spot[], at = points.length - 1): Spot => points[at] ?? points.at(-1) ?? [0, 0];
