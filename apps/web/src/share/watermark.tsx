import { useId } from "react";
import classes from "./watermark.module.css";

/** A watermark that names the recipient over the images, so that a photograph of the screen shows it, too. */
export function Watermark({ text }: { text: string }) {
  const id = useId();
  const width = text.length * characterWidth + 80;
  return (
    <svg className={classes.over} aria-hidden>
      <defs>
        <pattern id={id} width={width} height={220} patternUnits="userSpaceOnUse" patternTransform="rotate(-24)">
          <text x={10} y={60} className={classes.text}>
            {text}
          </text>
          <text x={10} y={170} className={classes.text}>
            {text}
          </text>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}

/** The width of a Chinese character at 15 px. Text that exceeds its tile is cut off. */
const characterWidth = 15;
