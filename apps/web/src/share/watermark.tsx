import { useId } from "react";
import classes from "./watermark.module.css";

/** For whom the pictures were opened, over them: who photographs the screen photographs that, too. */
export function Watermark({ text }: { text: string }) {
  const id = useId();
  const width = text.length * widest + 80;
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

/** A Chinese character at 15 px: what does not fit its tile is cut off. */
const widest = 15;
