import { Badge } from "@mantine/core";
import type { Series } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import styles from "./mark-status.module.css";

type Stored = Pick<Series, "problems">;

const lossOf = ({ problems }: Stored) => problems.find(({ code }) => code === "lossy");
export const isLossy = (series: Stored): boolean => lossOf(series) !== undefined;

/** Indicates that a series was stored with lossy compression, however it is transferred to the screen. */
export function LossyBadge({ series }: { series: Stored }) {
  const t = useTexts("viewer");
  const loss = lossOf(series);
  if (!loss) return null;
  return (
    <Badge size="sm" variant="light" color="yellow" tt="none">
      {loss.detail ? t("viewer.lossy.badgeRatio", { ratio: loss.detail }) : t("viewer.lossy.badge")}
    </Badge>
  );
}

/** Shown beside measurements, which were taken on lossy data. */
export function LossyNote({ series, count }: { series: Stored; count: number }) {
  const t = useTexts("viewer");
  return count > 0 && isLossy(series) ? <span className={styles.status}>{t("viewer.lossy.measured")}</span> : null;
}
