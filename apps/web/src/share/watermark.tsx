import { useId } from "react";
import classes from "./watermark.module.css";

/** For whom the pictures were opened, over them: who photographs the screen photographs that, too. */
export function Watermark({ text }: { text: string }) {
  const id = useId();
  return (
    <svg className={classes.over} aria-hidden>
      <defs>
        <pattern id={id} width={420} height={220} patternUnits="userSpaceOnUse" patternTransform="rotate(-24)">
          <text x={10} y={60} className={classes.text}>
            {text}
          </text>
          <text x={150} y={170} className={classes.text}>
            {text}
          </text>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}
