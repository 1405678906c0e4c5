import { useMemo, useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Picture } from "@arcada/imaging/gl/picture";
import { histogram, sampled, type Window } from "@arcada/imaging/picture/window";
import { trueValue } from "@arcada/imaging/view/true-value";
import { useTexts } from "../../kernel/texts.ts";
import styles from "./histogram.module.css";
import type { PictureFile } from "./load-picture.ts";

interface Props {
  picture: Picture & { kind: "grey" };
  file: PictureFile;
  window: Window;
  onWindow: (window: Window) => void;
}

const [width, height, bins] = [256, 84, 128] as const;

/**
 * The histogram of the grey values with the window over it: its ends and its middle can be dragged, or moved by arrow
 * keys.
 */
export function Histogram({ picture, file, window, onWindow }: Props) {
  const t = useTexts("viewer");
  const curve = useMemo(() => curveOf(picture), [picture]);
  const scale = width / Math.max(1, curve.max - curve.min);
  const [low, high] = [window.center - window.width / 2, window.center + window.width / 2];
  const set = (from: number, to: number) =>
    onWindow({ ...window, center: (from + to) / 2, width: Math.max(1, to - from) });
  const grips = [
    { name: "low", at: low, move: (by: number) => set(Math.min(low + by, high - 1), high) },
    { name: "middle", at: window.center, move: (by: number) => set(low + by, high + by) },
    { name: "high", at: high, move: (by: number) => set(low, Math.max(high + by, low + 1)) },
  ] as const;
  const place = (value: number) => Math.min(width, Math.max(0, (value - curve.min) * scale));
  return (
    <svg className={styles.histogram} viewBox={`0 0 ${width} ${height}`} direction="ltr">
      <path className={styles.curve} d={curve.path} />
      <rect className={styles.window} x={place(low)} y={0} width={place(high) - place(low)} height={height} />
      {grips.map(({ name, at, move }) => (
        <Grip
          key={name}
          x={place(at)}
          isMiddle={name === "middle"}
          label={t(`viewer.histogram.${name}`)}
          value={trueValue(file, Math.round(at))}
          step={Math.max(1, Math.round((curve.max - curve.min) / 200))}
          onMove={(pixels, shown) => move((pixels / shown) * (curve.max - curve.min))}
          onStep={move}
        />
      ))}
    </svg>
  );
}

function curveOf(picture: Picture & { kind: "grey" }): { path: string; min: number; max: number } {
  const { min, step, counts } = histogram(sampled(picture.data), bins);
  // The square root makes rare values visible beside the unexposed plate.
  const heights = Array.from(counts, Math.sqrt);
  const most = heights.toSorted((a, b) => b - a)[Math.min(2, heights.length - 1)] || 1;
  const wide = width / heights.length;
  const steps = heights.map((one, at) => {
    const y = (height - Math.min(1, one / most) * (height - 4)).toFixed(1);
    return `L${(at * wide).toFixed(1)},${y} L${((at + 1) * wide).toFixed(1)},${y}`;
  });
  return { path: `M0,${height} ${steps.join(" ")} L${width},${height}Z`, min, max: min + counts.length * step };
}

interface GripProps {
  x: number;
  isMiddle: boolean;
  label: string;
  value: number;
  step: number;
  /** A move by some CSS pixels, out of the width of the curve. */
  onMove: (pixels: number, of: number) => void;
  onStep: (by: number) => void;
}

function Grip({ x, isMiddle, label, value, step, onMove, onStep }: GripProps) {
  const from = useRef<number | null>(null);
  const follow = (event: PointerEvent<SVGElement>) => {
    if (from.current === null) return;
    const shown = event.currentTarget.ownerSVGElement?.getBoundingClientRect().width ?? width;
    onMove(event.clientX - from.current, shown);
    from.current = event.clientX;
  };
  const byKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onStep(by * step * (event.shiftKey ? 10 : 1));
  };
  return (
    <g
      className={styles.grip}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuenow={value}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = event.clientX;
      }}
      onPointerMove={follow}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onKeyDown={byKey}
    >
      <rect
        className={styles.reach}
        x={x - 12}
        y={isMiddle ? height / 2 - 18 : 0}
        width={24}
        height={isMiddle ? 36 : height}
      />
      {isMiddle ? <circle cx={x} cy={height / 2} r={5} /> : <path d={`M${x},0V${height}`} />}
    </g>
  );
}
