import { Box, Group, Progress, Text } from "@mantine/core";
import type { ComponentType } from "react";
import { HoverTooltip } from "./overlays/hover-tooltip.tsx";
import classes from "./usage-bar.module.css";

const colours = { green: "teal.7", yellow: "#f2b705", red: "red.7" };

interface Props {
  narrow: boolean;
  Icon: ComponentType<{ size?: number; stroke?: number }>;
  title: string;
  text: string;
  percent: number;
  colour: keyof typeof colours;
}

/** The bar alone. A yellow that is seen as yellow has less than 3:1 on white, so it has a dark outline. */
export const UsageProgress = ({
  percent,
  colour,
  label,
  size = 6,
}: Pick<Props, "percent" | "colour"> & { label: string; size?: number }) => (
  <Progress
    value={Math.min(100, percent)}
    color={colours[colour]}
    size={size}
    radius="xl"
    aria-label={label}
    {...(colour === "yellow" && { classNames: { section: classes.yellow! } })}
  />
);

/** The used share of an institution's allowance. */
export function UsageBar({ narrow, Icon, title, text, percent, colour }: Props) {
  const bar = <UsageProgress percent={percent} colour={colour} label={`${title}: ${text}`} />;
  if (narrow)
    return (
      <HoverTooltip label={`${title}: ${text}`} position="right">
        <Box py={10}>{bar}</Box>
      </HoverTooltip>
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
        {text}
      </Text>
    </>
  );
}
