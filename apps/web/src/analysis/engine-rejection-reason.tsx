import { Alert, Text } from "@mantine/core";
import { useTexts, translateDynamic } from "../i18n/texts.ts";

/** Shows why an engine was rejected, and the exact cause. */
export function FaultText({ fault, detail }: { fault: string; detail: string | null }) {
  const t = useTexts("analysis");
  return (
    <Alert color="red" title={t("analysis.engines.refused")}>
      {translateDynamic(t, `analysis.error.${fault}`, fault)}
      {detail && (
        <Text size="sm" mt={4}>
          {translateDynamic(t, `analysis.exactly.${detail}`, detail)}
        </Text>
      )}
    </Alert>
  );
}
