import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTexts } from "../i18n/texts.ts";

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  /** Called with the reason if one is required. The dialog stays open until the caller closes it. */
  onConfirm: (reason: string) => void;
  title: ReactNode;
  text?: ReactNode;
  confirm?: ReactNode;
  cancel?: ReactNode;
  danger?: boolean;
  busy?: boolean;
  /** Asks for a reason; "needed" disables the button until there is one. */
  reason?: { label: string; required?: boolean; maxLength?: number };
  children?: ReactNode;
}

/** Asks for a confirmation of an action that is not easily undone. */
export function ConfirmDialog({
  opened,
  onClose,
  onConfirm,
  title,
  text,
  confirm,
  cancel,
  danger,
  busy,
  reason,
  children,
}: ConfirmProps) {
  const t = useTexts();
  const [reasonText, setReasonText] = useState("");
  const isReasonMissing = reason?.required === true && reasonText.trim() === "";
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack gap="md">
        {text && <Text size="sm">{text}</Text>}
        {children}
        {reason && (
          <Textarea
            label={reason.label}
            required={reason.required ?? false}
            maxLength={reason.maxLength ?? 500}
            autosize
            minRows={3}
            maxRows={8}
            data-autofocus
            value={reasonText}
            onChange={(event) => setReasonText(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={busy ?? false}>
            {cancel ?? t("common.cancel")}
          </Button>
          <Button
            {...(danger && { color: "red" })}
            loading={busy ?? false}
            disabled={isReasonMissing}
            onClick={() => onConfirm(reasonText.trim())}
          >
            {confirm ?? t("common.confirm")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
