import { Box, Group, Progress, Text, Tooltip } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { capacityCalls, usageColour } from "@arcada/contract/capacity/capacity.calls";
import type { UsageColour } from "@arcada/contract/capacity/capacity.calls";
import { showNumber } from "../kernel/format.ts";
import { useMay } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";

// Shades that stand 3:1 on the page, as a bar that says something must.
const colours: Record<UsageColour, string> = { green: "teal.7", yellow: "yellow.8", red: "red.7" };

/** How much of the organisation's storage is used. */
export function StorageBar({ narrow }: { narrow: boolean }) {
  const t = useTexts("capacity");
  const may = useMay(capacityCalls.storage);
  const { data } = useCall(capacityCalls.storage, {}, { enabled: may });
  if (!may || !data) return null;
  const words = t("capacity.of", { used: gigabytes(data.totalSize), max: gigabytes(data.maxSize) });
  const bar = (
    <Progress
      value={Math.min(100, data.percent)}
      color={colours[usageColour(data.percent)]}
      size={6}
      radius="xl"
      aria-label={`${t("capacity.storage")}: ${words}`}
    />
  );
  if (narrow)
    return (
      <Tooltip label={`${t("capacity.storage")}: ${words}`} position="right">
        <Box p="md">{bar}</Box>
      </Tooltip>
    );
  return (
    <Box p="md">
      <Group gap={6} mb={8}>
        <IconDatabase size={16} stroke={1.6} aria-hidden />
        <Text size="xs" fw={600}>
          {t("capacity.storage")}
        </Text>
      </Group>
      {bar}
      <Text size="xs" c="dimmed" mt={6} className="arcada-figures">
        {words}
      </Text>
      {data.percent >= 100 && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4}>
          {t("capacity.full")}
        </Text>
      )}
    </Box>
  );
}

const gigabytes = (value: number): string => showNumber(value, value < 10 ? 2 : 1);
