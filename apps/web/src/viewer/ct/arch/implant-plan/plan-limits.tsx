import { Button, Group, NumberInput, SimpleGrid, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { listImplantPairs } from "./implant-pairs.ts";
import styles from "./plan-panel.module.css";
import { defaultSafetyDistances, safetyDistanceKinds } from "./plan-warnings.ts";
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

const limits = [...safetyDistanceKinds, "parallel"] as const;

/** The distances and the angle at which the plan warns, as this user wants them. */
export function SafetyDistanceFields({ arch: { safetyDistances, setSafetyDistances } }: Pick<PlanParts, "arch">) {
  const t = useTexts("implant");
  const isUsual = limits.every((name) => safetyDistances[name] === defaultSafetyDistances[name]);
  return (
    <div role="group" aria-label={t("implant.limits.title")}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="xs" fw={600}>
          {t("implant.limits.title")}
        </Text>
        {!isUsual && (
          <Button size="compact-xs" variant="subtle" onClick={() => setSafetyDistances(defaultSafetyDistances)}>
            {t("implant.limits.reset")}
          </Button>
        )}
      </Group>
      <SimpleGrid cols={2} spacing="xs" verticalSpacing={4}>
        {limits.map((name) => (
          <NumberInput
            key={name}
            size="xs"
            label={t(name === "parallel" ? "implant.pairs.limit" : `implant.limits.${name}`)}
            min={name === "parallel" ? 1 : 0.5}
            max={name === "parallel" ? 45 : 10}
            step={name === "parallel" ? 1 : 0.5}
            value={safetyDistances[name]}
            onChange={(typed) =>
              typeof typed === "number" && typed >= 0.5 && setSafetyDistances({ ...safetyDistances, [name]: typed })
            }
          />
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt={4}>
        {t("implant.limits.says")}
      </Text>
    </div>
  );
}
