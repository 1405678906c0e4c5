import { encode } from "uqr";
import { useTexts } from "../../i18n/texts.ts";
import classes from "./factor.module.css";

/** A QR code in the colours that every camera reads, also on a dark page. */
export function QrCode({ text }: { text: string }) {
  const t = useTexts("factor");
  const { data, size } = encode(text, { border: 2 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("factor.qr")}>
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={dark} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
