import { Modal } from "@mantine/core";
import { useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import { useTexts } from "../i18n/texts.ts";
import { OneTimeSecret } from "./one-time-secret-dialog.tsx";

interface Props {
  title: string;
  onClose: () => void;
  /** The display of the secret. */
  reveal: Omit<ComponentProps<typeof OneTimeSecret>, "secret" | "onClose">;
  /** The form. It calls `made` with the secret from its command's answer. */
  children: (onCreated: (secret: string) => void) => ReactNode;
}

/** A form in a dialog; then the created secret, shown only once. */
export function SecretDialog({ title, onClose, reveal, children }: Props) {
  const t = useTexts();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <OneTimeSecret {...reveal} secret={secret} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      {children(setSecret)}
    </Modal>
  );
}
