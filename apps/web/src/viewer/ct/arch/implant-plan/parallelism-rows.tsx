import { Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { listImplantPairs } from "./implant-pairs.ts";
import styles from "./plan-panel.module.css";
import type { PlanParts } from "./plan-props.ts";

/** The angle between each two implants of a jaw, with a sign where they are not parallel. */
export function ParallelismRows({ arch: { implants, safetyDistances } }: Pick<PlanParts, "arch">) {
  const t = useTexts("viewer", "implant");
  const pairs = listImplantPairs(implants);
  if (pairs.length === 0) return null;
  return (
    <div role="group" aria-label={t("implant.pairs.title")}>
      <Text size="xs" fw={600}>
        {t("implant.pairs.title")}
      </Text>
      {pairs.map(({ one, other, degrees }) => {
        const isWarning = degrees > safetyDistances.parallel;
        return (
          <div key={`${one} ${other}`} className={isWarning ? styles.near : styles.line}>
            {isWarning && (
              <IconAlertTriangle size={14} stroke={2} role="img" aria-label={t("viewer.arch.implant.warning")} />
            )}
            <span>{t("implant.pairs.row", { one, other, degrees: formatNumber(degrees, 1) })}</span>
          </div>
        );
      })}
    </div>
  );
}
