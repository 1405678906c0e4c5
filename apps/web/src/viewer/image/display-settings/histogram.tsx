import { useMemo, useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { RasterImage } from "@arcada/imaging/gl/raster-image";
import { computeHistogram, sampleValues, type VoiWindow } from "@arcada/imaging/image/voi-window";
import { rescaleValue } from "@arcada/imaging/view/rescale-to-grey-values";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./histogram.module.css";
import type { ImageFile } from "../loading/load-image.ts";

interface Props {
  image: RasterImage & { kind: "grey" };
  file: ImageFile;
  window: VoiWindow;
  onWindow: (window: VoiWindow) => void;
}

const [width, height, bins] = [256, 84, 128] as const;

/**
 * The histogram of the grey values with the window over it: its ends and its middle can be dragged, or moved by arrow
 * keys.
 */
export function Histogram({ image, file, window, onWindow }: Props) {
  const t = useTexts("viewer");
  const curve = useMemo(() => computeCurve(image), [image]);
  const scale = width / Math.max(1, curve.max - curve.min);
  const [low, high] = [window.center - window.width / 2, window.center + window.width / 2];
  const set = (from: number, to: number) =>
    onWindow({ ...window, center: (from + to) / 2, width: Math.max(1, to - from) });
  const handles = [
    { name: "low", at: low, move: (by: number) => set(Math.min(low + by, high - 1), high) },
    { name: "middle", at: window.center, move: (by: number) => set(low + by, high + by) },
    { name: "high", at: high, move: (by: number) => set(low, Math.max(high + by, low + 1)) },
  ] as const;
  const place = (value: number) => Math.min(width, Math.max(0, (value - curve.min) * scale));
  return (
    <svg className={styles.histogram} viewBox={`0 0 ${width} ${height}`} direction="ltr">
      <path className={styles.curve} d={curve.path} />
      <rect className={styles.window} x={place(low)} y={0} width={place(high) - place(low)} height={height} />
      {handles.map(({ name, at, move }) => (
        <WindowHandle
          key={name}
          x={place(at)}
          isMiddle={name === "middle"}
          label={t(`viewer.histogram.${name}`)}
          value={rescaleValue(file, Math.round(at))}
          step={Math.max(1, Math.round((curve.max - curve.min) / 200))}
          onMove={(pixels, shown) => move((pixels / shown) * (curve.max - curve.min))}
          onStep={move}
        />
      ))}
    </svg>
  );
}

function computeCurve(image: RasterImage & { kind: "grey" }): { path: string; min: number; max: number } {
  const { min, step, counts } = computeHistogram(sampleValues(image.data), bins);
  // The square root makes rare values visible beside the unexposed plate.
  const heights = Array.from(counts, Math.sqrt);
  const peak = heights.toSorted((a, b) => b - a)[Math.min(2, heights.length - 1)] || 1;
  const barWidth = width / heights.length;
  const steps = heights.map((one, at) => {
    const y = (height - Math.min(1, one / peak) * (height - 4)).toFixed(1);
    return `L${(at * barWidth).toFixed(1)},${y} L${((at + 1) * barWidth).toFixed(1)},${y}`;
  });
  return { path: `M0,${height} ${steps.join(" ")} L${width},${height}Z`, min, max: min + counts.length * step };
}

interface WindowHandleProps {
  x: number;
  isMiddle: boolean;
  label: string;
  value: number;
  step: number;
  /** A move by some CSS pixels, out of the width of the curve. */
  onMove: (pixels: number, of: number) => void;
  onStep: (by: number) => void;
}

function WindowHandle({ x, isMiddle, label, value, step, onMove, onStep }: WindowHandleProps) {
  const lastX = useRef<number | null>(null);
  const drag = (event: PointerEvent<SVGElement>) => {
    if (lastX.current === null) return;
    const shown = event.currentTarget.ownerSVGElement?.getBoundingClientRect().width ?? width;
    onMove(event.clientX - lastX.current, shown);
    lastX.current = event.clientX;
  };
  const handleKey = (event: KeyboardEvent) => {
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
        lastX.current = event.clientX;
      }}
      onPointerMove={drag}
      onPointerUp={() => (lastX.current = null)}
      onPointerCancel={() => (lastX.current = null)}
      onKeyDown={handleKey}
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
