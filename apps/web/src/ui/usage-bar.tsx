import { Box, Group, Progress, Text, Tooltip } from "@mantine/core";
import type { ComponentType } from "react";

// Shades that stand 3:1 on the page, as a bar that says something must.
const colours = { green: "teal.7", yellow: "yellow.8", red: "red.7" };

interface Props {
  narrow: boolean;
  Icon: ComponentType<{ size?: number; stroke?: number }>;
  title: string;
  words: string;
  percent: number;
  colour: keyof typeof colours;
}

/** How much of what an organisation may use is used. */
export function UsageBar({ narrow, Icon, title, words, percent, colour }: Props) {
  const bar = (
    <Progress
      value={Math.min(100, percent)}
      color={colours[colour]}
      size={6}
      radius="xl"
      aria-label={`${title}: ${words}`}
    />
  );
  if (narrow)
    return (
      <Tooltip label={`${title}: ${words}`} position="right">
        <Box py={10}>{bar}</Box>
      </Tooltip>
    );
  return (
    <>
      <Group gap={6} mb={6} wrap="nowrap">
        <Icon size={16} stroke={1.6} aria-hidden />
        <Text size="xs" fw={600} truncate>
          {title}
        </Text>
      </Group>
      {bar}
      <Text size="xs" c="dimmed" mt={4} className="arcada-figures">
        {words}
      </Text>
    </>
  );
}
