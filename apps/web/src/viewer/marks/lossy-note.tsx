import { Badge } from "@mantine/core";
import type { Series } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import styles from "./mark-status.module.css";

type Stored = Pick<Series, "problems">;

const lossOf = ({ problems }: Stored) => problems.find(({ code }) => code === "lossy");
export const isLossy = (series: Stored): boolean => lossOf(series) !== undefined;

/** Says that a series was compressed with loss when it was stored, whatever its way to the screen is. */
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

/** Stands beside measurements: they are of what the compression has left. */
export function LossyNote({ series, count }: { series: Stored; count: number }) {
  const t = useTexts("viewer");
  return count > 0 && isLossy(series) ? <span className={styles.status}>{t("viewer.lossy.measured")}</span> : null;
}
