import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useTexts } from "../../../i18n/texts.ts";
import type { SceneModel } from "../scene-model.ts";
import styles from "../side-panel.module.css";
import { requiredPairs, type ModelAlignment } from "./use-align.ts";

/** Collects the same points on two models, and then registers their surfaces. */
export function AlignPanel({ align, models }: { align: ModelAlignment; models: readonly SceneModel[] }) {
  const t = useTexts("viewer");
  const pairs = align.onto.length;
  const nameOf = (id: string | null) => models.find((model) => model.id === id)?.name ?? "";
  const isBusy = align.part !== null;
  return (
    <Stack gap="xs">
      <Text className={styles.label ?? ""}>
        {t("viewer.model.align.what", {
          from: nameOf(align.plan?.from ?? null),
          onto: nameOf(align.plan?.onto ?? null),
        })}
      </Text>
      <Text className={styles.label ?? ""} role="status">
        {t("viewer.model.align.next", { number: pairs + 1, name: nameOf(align.next) })}
      </Text>
      <Text className={styles.note ?? ""}>
        {t("viewer.model.align.pairs", { count: pairs, needed: requiredPairs })}
      </Text>
      {align.hasFailed && <Alert color="orange">{t("viewer.model.align.failed")}</Alert>}
      {align.part !== null && <Progress value={100 * align.part} aria-label={t("viewer.model.align.working")} />}
      <Group gap={4}>
        <Button size="xs" disabled={isBusy || pairs < requiredPairs} onClick={align.fit}>
          {t("viewer.model.align.fit")}
        </Button>
        <Button size="xs" variant="default" disabled={isBusy || align.from.length > 0} onClick={align.fit}>
          {t("viewer.model.align.fitAsIs")}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy || align.from.length === 0}
          onClick={align.removeLastPoint}
        >
          {t("viewer.model.align.back")}
        </Button>
        <Button size="xs" variant="default" onClick={align.cancel}>
          {t("viewer.model.align.cancel")}
        </Button>
      </Group>
    </Stack>
  );
}
