import classes from "./dashboard.module.css";

interface Props {
  value: number;
  maximum: number;
  /** A second, longer bar behind the first. */
  late?: number;
  /** True if the first bar is bad news. */
  isAlert?: boolean;
}

/** A bar for one figure in relation to the largest. The figure itself is shown next to it. */
export function FigureBar({ value, maximum, late, isAlert }: Props) {
  const share = (figure: number) => `${maximum > 0 ? Math.min(100, (figure / maximum) * 100) : 0}%`;
  return (
    <div className={classes.track} aria-hidden>
      {late !== undefined && <div className={classes.late} style={{ inlineSize: share(late) }} />}
      <div className={classes.fill} data-alert={isAlert || undefined} style={{ inlineSize: share(value) }} />
    </div>
  );
}
