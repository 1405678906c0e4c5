import { useState } from "react";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import type { Webhook } from "@arcada/contract/integrations/integrations.calls";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { OneTimeSecret } from "../ui/one-time-secret.tsx";

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

export function RotateSecretDialog({ webhook: { id, name }, onClose }: Props) {
  const t = useTexts("interface");
  const rotate = useCommand(integrationCalls.rotateSecret);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null)
    return (
      <OneTimeSecret
        title={t("interface.hooks.secretTitle")}
        text={t("interface.hooks.secretText")}
        label={t("interface.hooks.secret")}
        secret={secret}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => void rotate.run({ id }).then((done) => done && setSecret(done.data.secret))}
      busy={rotate.busy}
      title={t("interface.hooks.rotateTitle", { name })}
      text={t("interface.hooks.rotateText", { hours: String(webhookRules.rotationHours) })}
      confirm={t("interface.hooks.rotate")}
    />
  );
}

export function RemoveWebhookDialog({ webhook: { id, name }, onClose }: Props) {
  const t = useTexts("interface");
  const remove = useCommand(integrationCalls.removeWebhook);
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={() => void remove.run({ id }).then((done) => done && onClose())}
      busy={remove.busy}
      title={t("interface.hooks.removeTitle", { name })}
      text={t("interface.hooks.removeText")}
      confirm={t("interface.hooks.remove")}
    />
  );
}
