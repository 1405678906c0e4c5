import { Button, Group, Text } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";

interface DialogFooterProps {
  confirmLabel: string;
  busy: boolean;
  disabled?: boolean;
  problem?: string | undefined;
  onCancel: () => void;
  onConfirm: () => void;
}

/** The error message and the two buttons of a dialog. */
export function DialogFooter({
  confirmLabel,
  busy,
  disabled = false,
  problem,
  onCancel,
  onConfirm,
}: DialogFooterProps) {
  const t = useTexts();
  return (
    <>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={busy}>
          {t("common.cancel")}
        </Button>
        <Button loading={busy} disabled={disabled} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </Group>
    </>
  );
}
