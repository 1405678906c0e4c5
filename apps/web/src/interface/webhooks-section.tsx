import { ActionIcon, Badge, Button, Group, Menu, Stack, Text } from "@mantine/core";
import { IconDots, IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { interfaceCalls } from "@arcada/contract/interface/interface.calls";
import type { Webhook } from "@arcada/contract/interface/interface.calls";
import { showList, showTime } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCommand } from "../kernel/use-command.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookLog } from "./webhook-log.tsx";
import { RemoveWebhook, RotateSecret } from "./webhook-steps.tsx";

type Doing = "new" | "edit" | "log" | "rotate" | "remove";

/** The webhook endpoints and the state of their deliveries. */
export function WebhooksSection() {
  const t = useTexts("interface");
  const [doing, setDoing] = useState<{ what: Doing; id: string } | null>(null);
  const query = useCall(interfaceCalls.webhooks, {}, { every: 3000 });
  const close = () => setDoing(null);
  const webhook = query.data?.find(({ id }) => id === doing?.id);
  const isDoing = (what: Doing) => doing?.what === what;
  return (
    <Section
      flush
      title={t("interface.hooks.title")}
      says={t("interface.hooks.says")}
      actions={
        <Button leftSection={<IconWebhook size={18} aria-hidden />} onClick={() => setDoing({ what: "new", id: "" })}>
          {t("interface.hooks.new")}
        </Button>
      }
    >
      <Answer of={query} empty={<EmptyState title={t("interface.hooks.none")} text={t("interface.hooks.noneText")} />}>
        {(webhooks) => (
          <DataTable
            label={t("interface.hooks.title")}
            columns={columnsOf(t)}
            rows={webhooks}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(one) => <Actions webhook={one} onDo={(what) => setDoing({ what, id: one.id })} />}
          />
        )}
      </Answer>
      {isDoing("new") && <WebhookForm onClose={close} />}
      {webhook && isDoing("edit") && <WebhookForm webhook={webhook} onClose={close} />}
      {webhook && isDoing("log") && <WebhookLog webhook={webhook} onClose={close} />}
      {webhook && isDoing("rotate") && <RotateSecret webhook={webhook} onClose={close} />}
      {webhook && isDoing("remove") && <RemoveWebhook webhook={webhook} onClose={close} />}
    </Section>
  );
}

function Actions({ webhook: { id, name, state }, onDo }: { webhook: Webhook; onDo: (what: Doing) => void }) {
  const t = useTexts("interface");
  const attempt = useCommand(interfaceCalls.tryWebhook);
  const send = async () => {
    if (await attempt.run({ id })) toast("success", t("interface.hooks.tried"));
  };
  const button = (key: "log" | "try" | "edit", onClick: () => void) => (
    <Button
      size="sm"
      variant="default"
      onClick={onClick}
      loading={key === "try" && attempt.busy}
      disabled={key === "try" && state !== "on"}
      aria-label={`${t(`interface.hooks.${key}`)}: ${name}`}
    >
      {t(`interface.hooks.${key}`)}
    </Button>
  );
  return (
    <>
      {button("log", () => onDo("log"))}
      {button("try", () => void send())}
      {button("edit", () => onDo("edit"))}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={`${t("interface.hooks.more")}: ${name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onDo("rotate")}>{t("interface.hooks.rotate")}</Menu.Item>
          <Menu.Item color="red" onClick={() => onDo("remove")}>
            {t("interface.hooks.remove")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

const colours: Record<Webhook["state"], string> = { on: "teal", off: "gray", stopped: "red" };

const columnsOf = (t: Translate): Column<Webhook>[] => [
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
          <Badge variant="light" color={colours[state]}>
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
    show: ({ events }) => <Text size="sm">{showList(events.map((event) => t(`interface.event.${event}`)))}</Text>,
  },
  {
    key: "delivered",
    title: t("interface.hooks.delivered"),
    show: (webhook) => <Course webhook={webhook} />,
  },
];

function Course({ webhook: { lastDeliveredAt, failingSince, oldSecretUntil, waiting } }: { webhook: Webhook }) {
  const t = useTexts("interface");
  return (
    <Stack gap={2}>
      <span className="arcada-figures">{showTime(lastDeliveredAt)}</span>
      {failingSince && (
        <Text size="xs" c="red">
          {t("interface.hooks.failing", { time: showTime(failingSince) })}
        </Text>
      )}
      {waiting > 0 && (
        <Text size="xs" c="dimmed">
          {t("interface.hooks.waiting", { count: waiting })}
        </Text>
      )}
      {oldSecretUntil && (
        <Text size="xs" c="dimmed">
          {t("interface.hooks.oldSecret", { time: showTime(oldSecretUntil) })}
        </Text>
      )}
    </Stack>
  );
}
