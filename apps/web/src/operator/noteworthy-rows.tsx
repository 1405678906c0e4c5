import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTexts } from "../i18n/texts.ts";

/**
 * Shows the rows that need attention. The rest, which is long and quiet on a healthy instance, is shown on demand.
 * `quiet`: the sentence that stands for the hidden rows.
 */
export function NoteworthyRows<T>({
  rows,
  isNoteworthy,
  quiet,
  children,
}: {
  rows: readonly T[];
  isNoteworthy: (row: T) => boolean;
  quiet: (hidden: number) => string;
  children: (rows: readonly T[]) => ReactNode;
}) {
  const t = useTexts("operator");
  const [isOpen, setOpen] = useState(false);
  const noteworthy = rows.filter((row) => isNoteworthy(row));
  const hidden = rows.length - noteworthy.length;
  return (
    <Stack gap="sm">
      {(isOpen || noteworthy.length > 0) && children(isOpen ? rows : noteworthy)}
      {hidden > 0 && (
        <Group px="md" pb="md" justify="space-between">
          <Text size="sm" c="dimmed">
            {quiet(hidden)}
          </Text>
          <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t(isOpen ? "operator.health.showNoteworthy" : "operator.health.showAll")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
