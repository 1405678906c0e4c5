import type { CephDrawing } from "@arcada/contract/ceph/ceph.schema";
import styles from "./report-tracing.module.css";

interface Props {
  drawing: CephDrawing;
  /** The address of the upright radiograph; without it the lines are drawn alone. */
  radiographUrl: string | undefined;
  label: string;
}

/** A tracing over its radiograph, as it is printed. */
export function ReportTracing({ drawing: { height, lines, marks }, radiographUrl, label }: Props) {
  return (
    <svg className={styles.tracing} viewBox={`0 0 1 ${height}`} role="img" aria-label={label}>
      {radiographUrl && <image href={radiographUrl} width={1} height={height} />}
      {lines.map(({ tissue, points }, at) => (
        <path key={at} className={styles[tissue]} d={`M${points.map((point) => point.join(",")).join(" ")}`} />
      ))}
      {marks.map(({ sign, at: [x, y] }) => (
        <g key={sign}>
          <circle className={styles.dot} cx={x} cy={y} r={0.004} />
          <text className={styles.sign} x={x + 0.01} y={y - 0.006} direction="ltr">
            {sign}
          </text>
        </g>
      ))}
    </svg>
  );
}
