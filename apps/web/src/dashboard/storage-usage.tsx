import { Box, Stack, Text } from "@mantine/core";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { usageColour } from "@arcada/contract/capacity/capacity.rules";
import { formatNumber } from "../i18n/format.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { Section } from "../ui/page.tsx";
import { UsageProgress } from "../ui/usage-bar.tsx";

/** The used storage and analyses. */
export function UsageSection({ analyses, measurements }: { analyses: number | null; measurements: number | null }) {
  const t = useTexts("dashboard", "capacity");
  const storage = useCall(capacityCalls.storage, {}).data;
  const mayAnalyse = useCanAccess(capacityCalls.analyses);
  const used = useCall(capacityCalls.analyses, {}, { enabled: mayAnalyse }).data;
  if (!storage && !used && analyses === null) return null;
  const formatGigabytes = (value: number) => formatNumber(value, value < 10 ? 2 : 1);
  return (
    <Section title={t("dashboard.usage")}>
      <Stack gap="md">
        {storage && (
          <UsageFigure
            name={t("capacity.storage")}
            text={t("capacity.of", { used: formatGigabytes(storage.totalSize), max: formatGigabytes(storage.maxSize) })}
            percent={storage.percent}
          />
        )}
        {used && (
          <UsageFigure
            name={t("dashboard.analyses")}
            text={t("dashboard.usedOf", { used: used.noi, total: used.total })}
            percent={used.percent}
          />
        )}
        {analyses !== null && (
          <Text size="sm" c="dimmed">
            {t("dashboard.analysesDone", { count: analyses })}
            <br />
            {t("dashboard.measurementsDone", { count: measurements ?? 0 })}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function UsageFigure({ name, text, percent }: { name: string; text: string; percent: number }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Box my={6}>
        <UsageProgress percent={percent} colour={usageColour(percent)} label={`${name}: ${text}`} size={8} />
      </Box>
      <Text size="sm" c="dimmed" className="arcada-figures">
        {text}
      </Text>
    </div>
  );
}
