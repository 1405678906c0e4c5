import { ActionIcon, Group, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy, IconX } from "@tabler/icons-react";
import { useTexts } from "../i18n/texts.ts";
import { useCopy } from "./use-copy.ts";

const outcomeStyles = {
  idle: { color: "gray", Icon: IconCopy },
  copied: { color: "teal", Icon: IconCheck },
  copyFailed: { color: "red", Icon: IconX },
};

interface Props {
  text: string;
  label?: string;
  /** Shows a long text on several lines; without it the end is cut. */
  wraps?: boolean;
  size?: "xs" | "sm";
}

/** A number or link with a button that copies it. */
export function CopyText({ text, label, wraps = false, size = "sm" }: Props) {
  const t = useTexts();
  const { outcome, copy } = useCopy(text);
  const { color, Icon } = outcomeStyles[outcome ?? "idle"];
  const name = label ?? t("common.copy");
  const outcomeText = outcome && t(`common.${outcome}`);
  return (
    <Group gap={4} wrap="nowrap">
      <Text
        size={size}
        className="arcada-figures"
        truncate={!wraps}
        style={wraps ? { overflowWrap: "anywhere" } : undefined}
      >
        {text}
      </Text>
      <Tooltip label={outcomeText ?? name} opened={outcome ? true : undefined}>
        <ActionIcon size="sm" variant="subtle" color={color} onClick={copy} aria-label={name}>
          <Icon size={16} />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{outcomeText}</VisuallyHidden>
    </Group>
  );
}
