import { Badge, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { hl7Calls } from "@arcada/contract/hl7/hl7.calls";
import type { Hl7Connection, Hl7Message } from "@arcada/contract/hl7/hl7.calls";
import { hl7Rules } from "@arcada/contract/hl7/hl7.rules";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { LogDrawer } from "./log-drawer.tsx";
import classes from "./log-drawer.module.css";

/** The messages of a system in both directions, with the reason of each that was not applied. */
export function Hl7Log({ connection, onClose }: { connection: Hl7Connection; onClose: () => void }) {
  const t = useTexts("hl7");
  const [cursor, setCursor] = useState<string | undefined>();
  const query = useCall(
    hl7Calls.messages,
    { connectionId: connection.id, ...(cursor && { cursor }) },
    { keepPrevious: true, pollMs: 3000 },
  );
  return (
    <LogDrawer
      title={`${t("hl7.log")}: ${connection.name}`}
      text={t("hl7.logText", { days: String(hl7Rules.logDays) })}
      label={t("hl7.log")}
      none={t("hl7.logNone")}
      query={query}
      onOlder={setCursor}
      renderEntry={(message) => <LogEntry key={message.id} message={message} />}
      onClose={onClose}
    />
  );
}

const stateColours: Record<Hl7Message["state"], string> = {
  done: "teal",
  waiting: "yellow",
  ignored: "gray",
  refused: "red",
  dismissed: "gray",
  queued: "yellow",
  sending: "blue",
  sent: "teal",
  failed: "red",
  cancelled: "gray",
};

function LogEntry({ message }: { message: Hl7Message }) {
  const t = useTexts("hl7");
  const retry = useCommand(hl7Calls.retry);
  const { id, type, controlId, patientName, state, reason, problem, detail, tries, createdAt, nextAt } = message;
  const facts = [
    formatTimestamp(createdAt),
    controlId,
    tries > 1 && t("hl7.attempts", { count: tries }),
    nextAt && problem && t("hl7.next", { time: formatTimestamp(nextAt) }),
  ];
  return (
    <li className={classes.entry}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {type}
          </Text>
          {patientName && (
            <Text size="sm">
              <bdi>{patientName}</bdi>
            </Text>
          )}
          <Badge variant="light" color={stateColours[state]}>
            {t(`hl7.state.${state}`)}
          </Badge>
        </Group>
        {(state === "failed" || state === "queued") && (
          <Button size="xs" variant="default" loading={retry.busy} onClick={() => void retry.run({ id })}>
            {t("hl7.retry")}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" className="arcada-figures">
        {facts.filter(Boolean).join(" · ")}
      </Text>
      {reason && <Text size="xs">{t(`hl7.reason.${reason}`)}</Text>}
      {problem && state !== "sent" && (
        <Text size="xs" c="red">
          {t(`hl7.problem.${problem}`)}
        </Text>
      )}
      {detail && state !== "sent" && (
        <details>
          <summary>{t("hl7.detail")}</summary>
          <Text size="xs" dir="ltr" ta="start">
            {detail}
          </Text>
        </details>
      )}
    </li>
  );
}
