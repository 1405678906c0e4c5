import { ActionIcon, CopyButton, Group, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTexts } from "../kernel/texts.ts";

/** A number or link with the button that copies it. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  const t = useTexts();
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" className="arcada-figures" truncate>
        {text}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t("common.copied") : (label ?? t("common.copy"))}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color={copied ? "teal" : "gray"}
              onClick={copy}
              aria-label={copied ? t("common.copied") : (label ?? t("common.copy"))}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
