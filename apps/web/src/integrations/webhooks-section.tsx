import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import type { Webhook } from "@arcada/contract/integrations/integrations.calls";
import { formatList, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookLog } from "./webhook-log.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import { OneTimeSecret } from "../ui/one-time-secret-dialog.tsx";

type WebhookDialog = "new" | "edit" | "log" | "rotate" | "remove";

/** The webhook endpoints and the state of their deliveries. */
export function WebhooksSection() {
  const t = useTexts("interface");
  const [openDialog, setOpenDialog] = useState<{ what: WebhookDialog; id: string } | null>(null);
  const query = useCall(integrationCalls.webhooks, {}, { pollMs: 3000 });
  const close = () => setOpenDialog(null);
  const webhook = query.data?.find(({ id }) => id === openDialog?.id);
  const isOpen = (what: WebhookDialog) => openDialog?.what === what;
  return (
    <Section
      flush
      title={t("interface.hooks.title")}
      description={t("interface.hooks.says")}
      actions={
        <Button
          variant="default"
          leftSection={<IconWebhook size={18} aria-hidden />}
          onClick={() => setOpenDialog({ what: "new", id: "" })}
        >
          {t("interface.hooks.new")}
        </Button>
      }
    >
      <QueryResult
        of={query}
        empty={<EmptyState title={t("interface.hooks.none")} text={t("interface.hooks.noneText")} />}
      >
        {(webhooks) => (
          <DataTable
            label={t("interface.hooks.title")}
            columns={buildColumns(t)}
            rows={webhooks}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(one) => (
              <WebhookActions webhook={one} onOpenDialog={(what) => setOpenDialog({ what, id: one.id })} />
            )}
          />
        )}
      </QueryResult>
      {isOpen("new") && <WebhookForm onClose={close} />}
      {webhook && isOpen("edit") && <WebhookForm webhook={webhook} onClose={close} />}
      {webhook && isOpen("log") && <WebhookLog webhook={webhook} onClose={close} />}
      {webhook && isOpen("rotate") && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {webhook && isOpen("remove") && <RemoveWebhookDialog webhook={webhook} onClose={close} />}
    </Section>
  );
}

function WebhookActions({
  webhook: { id, name, state },
  onOpenDialog,
}: {
  webhook: Webhook;
  onOpenDialog: (what: WebhookDialog) => void;
}) {
  const t = useTexts("interface");
  const tryCall = useCommand(integrationCalls.tryWebhook);
  const send = async () => {
    if (await tryCall.run({ id })) toast("success", t("interface.hooks.tried"));
  };
  return (
    <ConnectionActions
      name={name}
      buttons={[
        { label: t("interface.hooks.log"), onClick: () => onOpenDialog("log") },
        {
          label: t("interface.hooks.try"),
          onClick: () => void send(),
          isBusy: tryCall.busy,
          isDisabled: state !== "on",
        },
        { label: t("interface.hooks.edit"), onClick: () => onOpenDialog("edit") },
      ]}
      menuLabel={t("interface.hooks.more")}
      menu={[
        { label: t("interface.hooks.rotate"), onClick: () => onOpenDialog("rotate") },
        { label: t("interface.hooks.remove"), onClick: () => onOpenDialog("remove") },
      ]}
    />
  );
}

const stateColours: Record<Webhook["state"], string> = { on: "teal", off: "gray", stopped: "red" };

const buildColumns = (t: Translate): Column<Webhook>[] => [
  {
    key: "name",
    title: t("interface.hooks.name"),
    narrow: "head",
    show: ({ name, state, url }) => (
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Badge variant="light" color={stateColours[state]}>
            {t(`interface.hooks.state.${state}`)}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed" dir="ltr" ta="start" maw={280} truncate title={url}>
          {url}
        </Text>
      </Stack>
    ),
  },
  {
    key: "events",
    title: t("interface.hooks.events"),
    show: ({ events }) => <Text size="sm">{formatList(events.map((event) => t(`interface.event.${event}`)))}</Text>,
  },
  {
    key: "delivered",
    title: t("interface.hooks.delivered"),
    show: (webhook) => <DeliveryState webhook={webhook} />,
  },
];

function DeliveryState({ webhook: { lastDeliveredAt, failingSince, oldSecretUntil, waiting } }: { webhook: Webhook }) {
  const t = useTexts("interface");
  return (
    <Stack gap={2}>
      <span className="arcada-figures">{formatTimestamp(lastDeliveredAt)}</span>
      {failingSince && (
        <Text size="xs" c="red">
          {t("interface.hooks.failing", { time: formatTimestamp(failingSince) })}
        </Text>
      )}
      {waiting > 0 && (
        <Text size="xs" c="dimmed">
          {t("interface.hooks.waiting", { count: waiting })}
        </Text>
      )}
      {oldSecretUntil && (
        <Text size="xs" c="dimmed">
          {t("interface.hooks.oldSecret", { time: formatTimestamp(oldSecretUntil) })}
        </Text>
      )}
    </Stack>
  );
}

function RemoveWebhookDialog({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose: () => void }) {
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

function RotateSecretDialog({ webhook: { id, name }, onClose }: { webhook: Webhook; onClose: () => void }) {
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
