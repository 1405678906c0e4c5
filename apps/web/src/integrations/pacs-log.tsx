import { Badge, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { pacsCalls } from "@arcada/contract/pacs/pacs.calls";
import type { PacsTask } from "@arcada/contract/pacs/pacs.calls";
import { pacsRules } from "@arcada/contract/pacs/pacs.rules";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { LogDrawer } from "./log-drawer.tsx";
import classes from "./log-drawer.module.css";

/** The studies that were sent to the clinic's PACS, with the reason of each failure. */
export function PacsLog({ onClose }: { onClose: () => void }) {
  const t = useTexts("pacs");
  const [cursor, setCursor] = useState<string | undefined>();
  const query = useCall(pacsCalls.tasks, { ...(cursor && { cursor }) }, { keepPrevious: true, pollMs: 3000 });
  return (
    <LogDrawer
      title={t("pacs.log")}
      text={t("pacs.logText", { days: String(pacsRules.logDays) })}
      label={t("pacs.log")}
      none={t("pacs.logNone")}
      query={query}
      onOlder={setCursor}
      renderEntry={(task) => <LogEntry key={task.id} task={task} />}
      onClose={onClose}
    />
  );
}

const stateColours: Record<PacsTask["state"], string> = {
  waiting: "yellow",
  sending: "blue",
  sent: "teal",
  failed: "red",
  cancelled: "gray",
};

function LogEntry({ task }: { task: PacsTask }) {
  const t = useTexts("pacs");
  const retry = useCommand(pacsCalls.retry);
  const { id, studyId, patientName, destination, state, tries, done, total, warnings, problem, detail } = task;
  const facts = [
    destination,
    formatTimestamp(task.createdAt),
    t("pacs.progress", { done: studyId === null && state === "sent" ? total : done, total }),
    tries > 1 && t("pacs.attempts", { count: tries }),
    warnings > 0 && t("pacs.warnings", { count: warnings }),
    task.nextAt && problem && t("pacs.next", { time: formatTimestamp(task.nextAt) }),
  ];
  return (
    <li className={classes.entry}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {studyId === null ? t("pacs.report") : patientName}
          </Text>
          <Badge variant="light" color={stateColours[state]}>
            {t(`pacs.state.${state}`)}
          </Badge>
        </Group>
        {state !== "sent" && state !== "sending" && (
          <Button size="xs" variant="default" loading={retry.busy} onClick={() => void retry.run({ id })}>
            {t("pacs.retry")}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" className="arcada-figures">
        {facts.filter(Boolean).join(" · ")}
      </Text>
      {problem && state !== "sent" && (
        <Text size="xs" c="red">
          {t(`pacs.problem.${problem}`)}
        </Text>
      )}
      {detail && state !== "sent" && (
        <details>
          <summary>{t("pacs.detail")}</summary>
          <Text size="xs" dir="ltr" ta="start">
            {detail}
          </Text>
        </details>
      )}
    </li>
  );
}
