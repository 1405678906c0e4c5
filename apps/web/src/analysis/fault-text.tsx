import { Alert, Text } from "@mantine/core";
import { useTexts } from "../kernel/texts.ts";
import styles from "./engine-card.module.css";

/** Why an engine was not taken in, and what it was exactly. */
export function FaultText({ fault, detail }: { fault: string; detail: string | null }) {
  const t = useTexts("analysis");
  return (
    <Alert color="red" title={t("analysis.engines.refused")}>
      {t(`analysis.error.${fault}`)}
      {detail && (
        <Text size="xs" dir="ltr" ta="start" mt={4} className={styles.detail}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}
