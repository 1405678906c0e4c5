import { useRef, type PointerEvent } from "react";
import type { MarkColour } from "@arcada/contract/study/mark";
import type { Spot } from "@arcada/imaging/view/measure";
import { useTexts } from "../../kernel/texts.ts";
import { useSize } from "../frame/use-size.ts";
import { Handle } from "./handle.tsx";
import { kindOf, type DrawnTool } from "./kind.ts";
import { labelPlaces, rowHeight, type LabelPlace } from "./label-places.ts";
import { MarkEditor } from "./mark-editor.tsx";
import styles from "./marks-layer.module.css";
import type { Drawing } from "./use-drawing.ts";

/** An annotation in CSS pixels of its viewport, with its text. */
export interface ShownMark {
  id: string;
  tool: DrawnTool;
  points: readonly Spot[];
  label: string;
  colour: MarkColour;
  isDraft?: boolean;
  /** Its lines if the viewer computes them in its own coordinates: a vertical there may be rotated on the screen. */
  lines?: Lines;
  guides?: Lines;
}

export type Lines = readonly (readonly Spot[])[];

interface Props {
  marks: readonly ShownMark[];
  chosen: string | null;
  onChoose: (id: string | null) => void;
  /** Called when a point was dragged, or moved by the arrow keys; `isOver` when the drag ends. */
  onMove: (id: string, index: number, to: Spot, isOver: boolean) => void;
  /** Enables the input of text, teeth and lengths beside their annotations. */
  editing?: Pick<Drawing<never>, "asked" | "ask" | "answer" | "insertPoint" | "removePoint">;
}

/** Annotations over an image or a plane: lines, handles that can be dragged or moved by arrow keys, and labels. */
export function MarksLayer({ marks, chosen, onChoose, onMove, editing }: Props) {
  const asked = editing?.asked;
  const layer = useRef<SVGSVGElement>(null);
  const size = useSize(layer);
  const labels = marks.map(({ points, tool, label }) => ({
    at: anchorOf(points, kindOf(tool).labelAt),
    rows: label.split("\n"),
  }));
  const places = size ? labelPlaces(labels, size) : [];
  const askedAt = asked && marks.find(({ id }) => id === asked.id);
  return (
    <>
      <svg ref={layer} className={styles.layer}>
        {marks.map((mark, index) => (
          <MarkShape
            key={mark.id}
            mark={mark}
            isChosen={mark.id === chosen}
            onChoose={onChoose}
            onMove={onMove}
            editing={editing}
            labelPlace={places[index]}
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
  editing: Props["editing"];
  labelPlace: LabelPlace | undefined;
}

function MarkShape({ mark, isChosen, onChoose, onMove, editing, labelPlace }: ShapeProps) {
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
    <g className={`${mark.isDraft ? styles.draft : isChosen ? styles.chosen : styles.mark} ${styles[mark.colour]}`}>
      <path className={styles.guide} d={guides.join("")} />
      <path className={styles.shadow} d={lines.join("")} />
      <path className={styles.line} d={lines.join("")} />
      {kind.tip !== undefined && <path className={styles.tip} d={tipOf(mark.points, kind.tip)} />}
      {!mark.isDraft && (
        <path
          className={styles.hit}
          // A single point is a dot that can be pressed.
          d={mark.points.length === 1 ? `${lines.join("")}Z` : lines.join("")}
          data-holds-press
          tabIndex={0}
          role="button"
          aria-label={name}
          aria-pressed={isChosen}
          onPointerDown={choose}
          onDoubleClick={() => editing?.ask(mark.id)}
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
          onAsk={() => editing?.ask(mark.id)}
          {...(mark.tool === "path" && {
            onInsert: () => editing?.insertPoint(mark.id, index),
            onRemove: () => editing?.removePoint(mark.id, index),
          })}
        />
      ))}
      {labelPlace && <Label place={labelPlace} label={mark.label} />}
    </g>
  );
}

const Label = ({ place: { x, y, anchor }, label }: { place: LabelPlace; label: string }) => (
  <text className={styles.label} x={x} y={y} textAnchor={anchor} direction="ltr">
    {label.split("\n").map((row, at) => (
      <tspan key={at} x={x} dy={at === 0 ? 0 : rowHeight}>
        {row}
      </tspan>
    ))}
  </text>
);

const pathOf = (line: readonly Spot[]): string =>
  line.length === 0 ? "" : `M${line.map(([x, y]) => `${x},${y}`).join(" ")}`;

/** The head of an arrow at one end of its line. */
function tipOf(points: readonly Spot[], at: number): string {
  const [tip, other] = [points[at], points[1 - at]];
  if (!tip || !other) return "";
  const turn = Math.atan2(other[1] - tip[1], other[0] - tip[0]);
  const wing = (side: number) => `${tip[0] + 14 * Math.cos(turn + side)},${tip[1] + 14 * Math.sin(turn + side)}`;
  return `M${wing(0.42)} ${tip[0]},${tip[1]} ${wing(-0.42)}Z`;
}

const anchorOf = (points: readonly Spot[], at = points.length - 1): Spot => points[at] ?? points.at(-1) ?? [0, 0];
