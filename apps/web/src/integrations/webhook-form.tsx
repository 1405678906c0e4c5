import { Checkbox, Stack, Switch, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import type { Webhook } from "@arcada/contract/integrations/integrations.calls";
import { webhookEvents } from "@arcada/contract/integrations/integrations.rules";
import type { WebhookEvent } from "@arcada/contract/integrations/integrations.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { SecretDialog } from "../ui/create-secret-dialog.tsx";

interface Values {
  name: string;
  url: string;
  events: WebhookEvent[];
  on: boolean;
}

/** Creates an endpoint and shows its secret once, or edits one. */
export function WebhookForm({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const t = useTexts("interface");
  return (
    <SecretDialog
      title={t(webhook ? "interface.hooks.editTitle" : "interface.hooks.new")}
      onClose={onClose}
      reveal={{
        title: t("interface.hooks.secretTitle"),
        text: t("interface.hooks.secretText"),
        label: t("interface.hooks.secret"),
      }}
    >
      {(made) =>
        webhook ? (
          <EditWebhook webhook={webhook} onClose={onClose} />
        ) : (
          <CreateWebhook onClose={onClose} onCreated={made} />
        )
      }
    </SecretDialog>
  );
}

function CreateWebhook({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }) {
  const t = useTexts("interface");
  const call = useCallForm<typeof integrationCalls.makeWebhook, Values>(integrationCalls.makeWebhook, {
    defaults: { name: "", url: "", events: ["order.moved"], on: true },
    input: ({ on: _, ...values }) => values,
    onSuccess: ({ secret }) => onCreated(secret),
  });
  return <Fields call={call} action={t("interface.hooks.make")} onClose={onClose} />;
}

function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTexts("interface");
  const { id, name, url, events, state } = webhook;
  const call = useCallForm<typeof integrationCalls.setWebhook, Values>(integrationCalls.setWebhook, {
    defaults: { name, url, events, on: state === "on" },
    input: (values) => ({ id, ...values }),
    onSuccess: onClose,
  });
  return (
    <Fields call={call} action={t("common.save")} onClose={onClose}>
      <Controller
        control={call.form.control}
        name="on"
        render={({ field: { value, onChange } }) => (
          <Switch
            label={t("interface.hooks.on")}
            description={t("interface.hooks.onText")}
            checked={value}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        )}
      />
    </Fields>
  );
}

interface FieldsProps {
  call: CallForm<Values>;
  action: string;
  onClose: () => void;
  children?: React.ReactNode;
}
function Fields({ call: { form, submit, busy, problem, error }, action, onClose, children }: FieldsProps) {
  const t = useTexts("interface");
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t("interface.hooks.name")}
          required
          data-autofocus
          autoComplete="off"
          maxLength={60}
          {...form.register("name")}
          error={error("name")}
        />
        <TextInput
          label={t("interface.hooks.url")}
          description={t("interface.hooks.urlText")}
          required
          dir="ltr"
          type="url"
          autoComplete="off"
          maxLength={1000}
          {...form.register("url")}
          error={error("url")}
        />
        <Controller
          control={form.control}
          name="events"
          render={({ field: { value, onChange } }) => (
            <Checkbox.Group
              label={t("interface.hooks.events")}
              required
              value={value}
              onChange={onChange}
              error={error("events")}
            >
              <Stack gap="xs" mt="xs">
                {webhookEvents.map((event) => (
                  <Checkbox key={event} value={event} label={t(`interface.event.${event}`)} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        />
        {children}
        <FormFooter problem={problem} submitLabel={action} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}
