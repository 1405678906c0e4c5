import { Badge, Button, Code, Group, Text } from "@mantine/core";
import { useState } from "react";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import type { Delivery, Webhook } from "@arcada/contract/integrations/integrations.calls";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { LogDrawer } from "./log-drawer.tsx";
import classes from "./log-drawer.module.css";

/** The deliveries to an endpoint with their results and the time of the next retry. */
export function WebhookLog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTexts("interface");
  const [cursor, setCursor] = useState<string | undefined>();
  const query = useCall(
    integrationCalls.deliveries,
    { id: webhook.id, ...(cursor && { cursor }) },
    { keepPrevious: true, pollMs: 3000 },
  );
  return (
    <LogDrawer
      title={t("interface.hooks.logOf", { name: webhook.name })}
      text={t("interface.hooks.logText", { days: String(webhookRules.logDays) })}
      label={t("interface.hooks.log")}
      none={t("interface.log.none")}
      query={query}
      onOlder={setCursor}
      renderEntry={(one) => <DeliveryItem key={one.id} delivery={one} isOn={webhook.state === "on"} />}
      onClose={onClose}
    />
  );
}

const stateColours: Record<Delivery["state"], string> = { waiting: "blue", delivered: "teal", failed: "red" };

function DeliveryItem({ delivery, isOn }: { delivery: Delivery; isOn: boolean }) {
  const t = useTexts("interface");
  const redelivery = useCommand(integrationCalls.redeliver);
  const { id, event, state, tries, createdAt, nextAt, body } = delivery;
  const renderFact = (name: "time" | "tries" | "answer" | "next", shown: string) => (
    <div>
      <dt>{t(`interface.log.${name}`)}</dt>
      <dd className="arcada-figures">{shown}</dd>
    </div>
  );
  return (
    <li className={classes.entry}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {t(`interface.event.${event}`)}
          </Text>
          <Badge variant="light" color={stateColours[state]}>
            {t(`interface.log.delivery.${state}`)}
          </Badge>
        </Group>
        <Button
          size="xs"
          variant="default"
          loading={redelivery.busy}
          disabled={!isOn}
          onClick={() => void redelivery.run({ id })}
          aria-label={`${t("interface.log.again")}: ${t(`interface.event.${event}`)} ${formatTimestamp(createdAt)}`}
        >
          {t("interface.log.again")}
        </Button>
      </Group>
      <dl className={classes.facts}>
        {renderFact("time", formatTimestamp(createdAt))}
        {renderFact("tries", String(tries))}
        {renderFact("answer", useResponseText(delivery))}
        {nextAt && renderFact("next", formatTimestamp(nextAt))}
      </dl>
      <details>
        <summary>{t("interface.log.body")}</summary>
        <Code block dir="ltr" mt="xs" tabIndex={0}>
          {formatJson(body)}
        </Code>
      </details>
    </li>
  );
}

function useResponseText({ status, milliseconds, problem }: Delivery): string {
  const t = useTexts("interface");
  if (problem) return t(`interface.log.problem.${problem}`, { seconds: String(webhookRules.timeoutSeconds) });
  return status === null ? "–" : t("interface.log.answered", { status: String(status), ms: String(milliseconds ?? 0) });
}

const formatJson = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
