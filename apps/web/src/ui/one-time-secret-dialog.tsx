import { Button, CopyButton, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTexts } from "../i18n/texts.ts";

interface Props {
  title: string;
  text: string;
  label: string;
  secret: string;
  /** Instructions for using the secret. */
  children?: ReactNode;
  onClose: () => void;
}

/** A secret that is shown only once: a click beside the dialog must not lose it. */
export function OneTimeSecret({ title, text, label, secret, onClose, children }: Props) {
  const t = useTexts();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={title}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <TextInput
          label={label}
          value={secret}
          readOnly
          dir="ltr"
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        {children}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t("common.close")}
          </Button>
          <CopyButton value={secret} timeout={3000}>
            {({ copied, copy }) => (
              <Button
                onClick={copy}
                color={copied ? "teal" : "brand"}
                leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              >
                {t(copied ? "common.copied" : "common.copy")}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Modal>
  );
}
