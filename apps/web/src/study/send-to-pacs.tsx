import { Badge, Button, Group, Modal, Progress, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { pacsCalls } from "@arcada/contract/pacs/pacs.calls";
import type { PacsDestination, PacsTask } from "@arcada/contract/pacs/pacs.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { PermissionGate } from "../session/permission-gate.tsx";
import { QueryResult } from "../ui/query-result.tsx";

interface SendProps {
  studyId: string;
  opened: boolean;
  onClose: () => void;
}

/** Sends a study to one of the clinic's PACS, and shows how far it is and what was sent before. */
export function SendToPacs({ studyId, opened, onClose }: SendProps) {
  const t = useTexts("pacs");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("pacs.sendTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Destinations studyId={studyId} onClose={onClose} />
    </Modal>
  );
}

function Destinations({ studyId, onClose }: Omit<SendProps, "opened">) {
  const query = useCall(pacsCalls.destinations, {});
  return (
    <QueryResult of={query} empty={<NoDestination />}>
      {(destinations) => <SendForm destinations={destinations} studyId={studyId} onClose={onClose} />}
    </QueryResult>
  );
}

/** Says who sets up a PACS, and leads a person who may do it there. */
function NoDestination() {
  const t = useTexts("pacs", "shell");
  return (
    <Stack gap="md">
      <Text size="sm">{t("pacs.noTarget")}</Text>
      <PermissionGate to={pacsCalls.saveDestination}>
        <Group justify="flex-end">
          <Button component={ScreenLink} screen="openInterface">
            {t("shell.screen.openInterface")}
          </Button>
        </Group>
      </PermissionGate>
    </Stack>
  );
}

function SendForm({ destinations, studyId, onClose }: { destinations: PacsDestination[] } & Omit<SendProps, "opened">) {
  const t = useTexts("pacs");
  const [destinationId, setDestination] = useState(destinations[0]?.id ?? "");
  const send = useCommand(pacsCalls.send);
  return (
    <Stack gap="md">
      <Text size="sm">{t("pacs.sendText")}</Text>
      <Select
        label={t("pacs.sendTo")}
        data={destinations.map(({ id, name }) => ({ value: id, label: name }))}
        value={destinationId}
        onChange={(value) => value && setDestination(value)}
        allowDeselect={false}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("common.close")}
        </Button>
        <Button loading={send.busy} onClick={() => void send.run({ studyId, destinationId })}>
          {t("pacs.sendNow")}
        </Button>
      </Group>
      <SentBefore studyId={studyId} />
    </Stack>
  );
}

function SentBefore({ studyId }: { studyId: string }) {
  const t = useTexts("pacs");
  const { data } = useCall(pacsCalls.tasks, { studyId }, { pollMs: 1000 });
  if (!data || data.list.length === 0) return null;
  return (
    <Stack gap="sm" component="ul" m={0} p={0} aria-label={t("pacs.sentBefore")}>
      {data.list.slice(0, 5).map((task) => (
        <SentTask key={task.id} task={task} />
      ))}
    </Stack>
  );
}

const stateColours: Record<PacsTask["state"], string> = {
  waiting: "yellow",
  sending: "blue",
  sent: "teal",
  failed: "red",
  cancelled: "gray",
};

function SentTask({ task }: { task: PacsTask }) {
  const t = useTexts("pacs");
  const { id, destination, state, done, total, problem, createdAt, nextAt } = task;
  const retry = useCommand(pacsCalls.retry);
  const cancel = useCommand(pacsCalls.cancel);
  const isOpen = state === "waiting" || state === "sending";
  return (
    <Stack component="li" gap={4} style={{ listStyle: "none" }}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {destination}
          </Text>
          <Badge variant="light" color={stateColours[state]}>
            {t(`pacs.state.${state}`)}
          </Badge>
        </Group>
        {state !== "sent" && (
          <Button
            size="xs"
            variant="default"
            loading={retry.busy || cancel.busy}
            onClick={() => void (isOpen ? cancel : retry).run({ id })}
          >
            {t(isOpen ? "pacs.cancel" : "pacs.retry")}
          </Button>
        )}
      </Group>
      {state === "sending" && (
        <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={t("pacs.progress", { done, total })} />
      )}
      <Text size="xs" c="dimmed" className="arcada-figures">
        {[
          formatTimestamp(createdAt),
          t("pacs.progress", { done, total }),
          nextAt && problem && t("pacs.next", { time: formatTimestamp(nextAt) }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </Text>
      {problem && state !== "sent" && (
        <Text size="xs" c="red">
          {t(`pacs.problem.${problem}`)}
        </Text>
      )}
    </Stack>
  );
}
