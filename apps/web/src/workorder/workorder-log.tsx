import { Badge, Button, Checkbox, Group, Stack, Text, Textarea, Timeline } from "@mantine/core";
import { useState } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import classes from "./workorder.module.css";

/** The events and notes of a work order, oldest first. */
export function WorkorderLog({ order }: { order: Workorder }) {
  const t = useTexts("workorder");
  return (
    <Stack gap="lg">
      <Timeline active={order.log.length} bulletSize={14} lineWidth={2}>
        {order.log.map(({ id, time, who, action, text, isInternal }) => (
          <Timeline.Item key={id}>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {action ? t(`workorder.said.${action}`) : (who ?? t("workorder.said.system"))}
              </Text>
              {isInternal && action === null && (
                <Badge size="xs" variant="light" color="gray">
                  {t("workorder.said.internal")}
                </Badge>
              )}
            </Group>
            {text && (
              <Text size="sm" className={classes.said} dir="auto">
                {text}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {[action && (who ?? t("workorder.said.system")), formatTimestamp(time)].filter(Boolean).join(" · ")}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {order.may.note && <WriteEntry id={order.id} />}
    </Stack>
  );
}

function WriteEntry({ id }: { id: string }) {
  const t = useTexts("workorder");
  const [text, setText] = useState("");
  const [isInternal, setInternal] = useState(true);
  const command = useCommand(workorderCalls.note);
  const write = async () => {
    if (await command.run({ id, text, isInternal })) setText("");
  };
  return (
    <Stack gap="sm">
      <Textarea
        label={t("workorder.log.text")}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={workorderRules.maxTextLength.note}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="space-between">
        <Checkbox
          label={t("workorder.log.internal")}
          checked={isInternal}
          onChange={(event) => setInternal(event.currentTarget.checked)}
        />
        <Button disabled={text.trim() === ""} loading={command.busy} onClick={() => void write()}>
          {t("workorder.log.write")}
        </Button>
      </Group>
    </Stack>
  );
}
