import { Badge } from "@mantine/core";
import type { Series } from "@arcada/contract/study/study.schema";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./annotation-status.module.css";

type CompressedSeries = Pick<Series, "problems">;

const findLossyProblem = ({ problems }: CompressedSeries) => problems.find(({ code }) => code === "lossy");
export const isLossy = (series: CompressedSeries): boolean => findLossyProblem(series) !== undefined;

/** Indicates that a series was stored with lossy compression, however it is transferred to the screen. */
export function LossyBadge({ series }: { series: CompressedSeries }) {
  const t = useTexts("viewer");
  const problem = findLossyProblem(series);
  if (!problem) return null;
  return (
    <Badge size="sm" variant="light" color="yellow" tt="none">
      {problem.detail ? t("viewer.lossy.badgeRatio", { ratio: problem.detail }) : t("viewer.lossy.badge")}
    </Badge>
  );
}

/** A notice beside measurements that were taken on lossy data. */
export function LossyMeasurementNote({ series, count }: { series: CompressedSeries; count: number }) {
  const t = useTexts("viewer");
  return count > 0 && isLossy(series) ? <span className={styles.status}>{t("viewer.lossy.measured")}</span> : null;
}
