import { ActionIcon, Button, Code, Group, Indicator, Modal, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBug } from "@tabler/icons-react";
import { useState } from "react";
import { errorReportCalls } from "@arcada/contract/account/error-reports.calls";
import { clearErrors, errorLog } from "../error-log.ts";
import type { LoggedError } from "../error-log.ts";
import { formatTimestamp } from "../../i18n/format.ts";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import classes from "./error-log-button.module.css";

/** Shown only if an error occurred on the page since it was loaded. */
export function ErrorLogButton() {
  const t = useTexts("shell");
  const errors = useStore(errorLog);
  const [opened, { open, close }] = useDisclosure(false);
  const count = errors.reduce((sum, { times }) => sum + times, 0);
  if (count === 0 && !opened) return null;
  const label = t("shell.errors.count", { count });
  return (
    <>
      <Tooltip label={label}>
        <Indicator label={count > 99 ? "99+" : count} size={16} color="red" offset={5}>
          <ActionIcon variant="subtle" color="red" size={38} onClick={open} aria-label={label}>
            <IconBug size={20} stroke={1.6} />
          </ActionIcon>
        </Indicator>
      </Tooltip>
      <Modal
        opened={opened}
        onClose={close}
        title={t("shell.errors.title")}
        size="lg"
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <ErrorList errors={errors} onDone={close} />
      </Modal>
    </>
  );
}

function ErrorList({ errors, onDone }: { errors: readonly LoggedError[]; onDone: () => void }) {
  const t = useTexts("shell");
  const report = useCommand(errorReportCalls.reportErrors);
  const send = async () => {
    const sent = await report.run({
      errors: errors.slice(-20).map(({ message, stack, path, at }) => ({ message, path, at, ...(stack && { stack }) })),
    });
    if (!sent) return;
    toast("success", t("shell.errors.sent"));
    clearErrors();
    onDone();
  };
  const clear = () => {
    clearErrors();
    onDone();
  };
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t("shell.errors.text")}
      </Text>
      {errors.length === 0 && <Text size="sm">{t("shell.errors.none")}</Text>}
      <ul className={classes.list}>
        {errors.toReversed().map((error) => (
          <ErrorItem key={error.id} error={error} />
        ))}
      </ul>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={clear}>
          {t("shell.errors.clear")}
        </Button>
        <Button onClick={() => void send()} loading={report.busy} disabled={errors.length === 0}>
          {t("shell.errors.send")}
        </Button>
      </Group>
    </Stack>
  );
}

function ErrorItem({ error }: { error: LoggedError }) {
  const t = useTexts("shell");
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={classes.error}>
      <Text size="sm" fw={600} className={classes.message}>
        {error.message}
      </Text>
      <Group gap="xs" justify="space-between">
        <Text size="xs" c="dimmed" className="arcada-figures">
          {formatTimestamp(error.at)} · {error.path}
          {error.times > 1 && ` · ${t("shell.errors.times", { times: error.times })}`}
        </Text>
        {error.stack && (
          <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t("shell.errors.detail")}
          </Button>
        )}
      </Group>
      {isOpen && (
        <Code block className={classes.stack} tabIndex={0}>
          {error.stack}
        </Code>
      )}
    </li>
  );
}
