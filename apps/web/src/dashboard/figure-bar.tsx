import classes from "./dashboard.module.css";

/** A bar for one figure in relation to the largest. The figure itself is shown next to it. */
export function FigureBar({ value, maximum, late }: { value: number; maximum: number; late?: number }) {
  const share = (figure: number) => `${maximum > 0 ? Math.min(100, (figure / maximum) * 100) : 0}%`;
  return (
    <div className={classes.track} aria-hidden>
      {late !== undefined && <div className={classes.late} style={{ inlineSize: share(late) }} />}
      <div className={classes.fill} style={{ inlineSize: share(value) }} />
    </div>
  );
}
