import { applyAffine, type Affine } from "@arcada/imaging/view/image-view";
import type { ImageFile } from "../loading/load-image.ts";
import styles from "./presentation-state-layer.module.css";

export type PresentationDrawing = NonNullable<NonNullable<ImageFile["presentation"]>["drawn"]>;

interface Props {
  drawn: PresentationDrawing;
  frame: number;
  matrix: Affine;
}

/** Draws the graphics of a presentation state over an image, and its shutter over the parts that it hides. */
export function PresentationStateLayer({ drawn: { graphics, words, shutter }, frame, matrix }: Props) {
  const toScreen = (points: readonly (readonly number[])[]) =>
    points.map(([x = 0, y = 0]) => applyAffine(matrix, [x, y]).join(",")).join(" ");
  const isHere = ({ frames }: { frames: readonly number[] }) => frames.length === 0 || frames.includes(frame);
  return (
    <svg className={styles.layer} aria-hidden>
      {shutter?.outlines.map((outline, at) => (
        <path
          key={at}
          d={`M-9999,-9999H99999V99999H-9999Z M${toScreen(outline)}Z`}
          fillRule="evenodd"
          fill={`rgb(${shutter.shade} ${shutter.shade} ${shutter.shade})`}
        />
      ))}
      {graphics.filter(isHere).map(({ points, isFilled }, at) => {
        const [only] = points;
        if (points.length > 1)
          return <polyline key={at} className={isFilled ? styles.filled : styles.line} points={toScreen(points)} />;
        const [x, y] = applyAffine(matrix, [only?.[0] ?? 0, only?.[1] ?? 0]);
        return <circle key={at} className={styles.filled} cx={x} cy={y} r={3} />;
      })}
      {words.filter(isHere).map(({ words: text, at: place }, at) => {
        const [x, y] = applyAffine(matrix, [place[0] ?? 0, place[1] ?? 0]);
        return (
          <text key={at} className={styles.words} x={x} y={y}>
            {text.split(/\r?\n/).map((line, row) => (
              <tspan key={row} x={x} dy={row === 0 ? 0 : 16}>
                {line}
              </tspan>
            ))}
          </text>
        );
      })}
    </svg>
  );
}
