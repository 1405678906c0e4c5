import { Text, Title } from "@mantine/core";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import type { CephDrawing } from "@arcada/contract/ceph/ceph.schema";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import styles from "./report-tracing.module.css";

/** The tracing that belongs to the report; nothing for a report without one. */
export function ReportTracing({ report: { id, content } }: { report: Report }) {
  const t = useTexts("report", "viewer");
  const { ceph } = content;
  const drawing = ceph?.drawing;
  const { data } = useCall(reportCalls.pictures, { id }, { enabled: drawing !== undefined, keepPrevious: true });
  if (!drawing) return null;
  const radiograph = data?.find(({ instanceId, box }) => instanceId === ceph?.instanceId && box.startsWith("upright"));
  return (
    <div>
      <Title order={3} size="h5">
        {t("report.form.ceph")}
      </Title>
      <TracedRadiograph drawing={drawing} radiographUrl={radiograph?.url} label={t("report.form.ceph")} />
      {ceph?.isLossy && <Text size="sm">{t("viewer.lossy.measured")}</Text>}
    </div>
  );
}

interface TracedRadiographProps {
  drawing: CephDrawing;
  /** The address of the upright radiograph; without it the lines are drawn alone. */
  radiographUrl: string | undefined;
  label: string;
}

/** A tracing over its radiograph, as it is printed. */
function TracedRadiograph({ drawing: { height, lines, marks }, radiographUrl, label }: TracedRadiographProps) {
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
