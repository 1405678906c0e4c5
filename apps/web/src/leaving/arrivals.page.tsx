import { Alert, Badge, Button, FileButton, Group, Progress, Stack, Text } from "@mantine/core";
import { IconPackageImport } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import type { Arrival } from "@arcada/contract/leaving/leaving.calls";
import { showBytes, showTime } from "../kernel/format.ts";
import { show } from "../kernel/show.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ArrivalActions } from "./arrival-actions.tsx";
import { sendArchive } from "./send-archive.ts";

/** The import of institutions from another instance: upload, check, import. */
export function Page() {
  const t = useTexts("leaving", "refusals");
  const query = useCall(leavingCalls.arrivals, {}, { every: 2000 });
  const { sending, send, stop } = useSending(query.data ?? [], () => void query.refetch());
  return (
    <PageBody
      title={t("leaving.arrivals.title")}
      says={t("leaving.arrivals.says")}
      actions={
        <FileButton accept=".zip,application/zip" onChange={(file) => void (file && send(file))} key={String(sending)}>
          {(props) => (
            <Button {...props} loading={sending !== null} leftSection={<IconPackageImport size={18} aria-hidden />}>
              {t("leaving.arrivals.choose")}
            </Button>
          )}
        </FileButton>
      }
    >
      {sending !== null && (
        <Alert color="blue" role="status">
          <Stack gap="xs">
            <Text size="sm">{t("leaving.arrivals.sending", { percent: percentOf(sending) })}</Text>
            <Progress
              value={percentOf(sending)}
              aria-label={t("leaving.arrivals.sending", { percent: percentOf(sending) })}
            />
            <Group justify="flex-end">
              <Button size="xs" variant="default" onClick={stop}>
                {t("leaving.stop")}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      <Section title={t("leaving.arrivals.latest")} flush>
        <Answer of={query} empty={<EmptyState title={t("leaving.arrivals.none")} />}>
          {(arrivals) => (
            <DataTable
              label={t("leaving.arrivals.latest")}
              columns={columnsOf(t)}
              rows={arrivals}
              rowKey={({ id }) => id}
              actions={(arrival) => <ArrivalActions arrival={arrival} isSending={sending !== null} />}
              actionsTitle={t("common.actions")}
            />
          )}
        </Answer>
      </Section>
    </PageBody>
  );
}

const percentOf = (share: number): number => Math.round(share * 100);

function useSending(open: readonly Arrival[], changed: () => void) {
  const [sending, setSending] = useState<number | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const send = async (file: File) => {
    stopper.current = new AbortController();
    setSending(0);
    try {
      await sendArchive(file, open, { progress: setSending, signal: stopper.current.signal });
    } catch (error) {
      show(error);
    } finally {
      setSending(null);
      changed();
    }
  };
  return { sending, send, stop: () => stopper.current?.abort() };
}

const colours: Record<Arrival["state"], string> = {
  sending: "gray",
  checking: "blue",
  checked: "indigo",
  importing: "blue",
  done: "teal",
  failed: "red",
  cancelled: "gray",
};

const columnsOf = (t: Translate): Column<Arrival>[] => [
  {
    key: "file",
    title: t("leaving.arrivals.file"),
    narrow: "head",
    show: (arrival) => <Found arrival={arrival} />,
  },
  { key: "state", title: t("leaving.arrivals.stateTitle"), show: (arrival) => <State arrival={arrival} /> },
  {
    key: "time",
    title: t("leaving.arrivals.time"),
    show: ({ createdAt }) => <span className="arcada-figures">{showTime(createdAt)}</span>,
  },
];

function Found({ arrival: { name, bytes, found } }: { arrival: Arrival }) {
  const t = useTexts("leaving");
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {found ? t("leaving.arrivals.organisation", found.institution) : name}
      </Text>
      <Text size="xs" c="dimmed">
        {found ? t("leaving.arrivals.madeAt", { time: showTime(found.exportedAt) }) : showBytes(bytes)}
      </Text>
      {found && (
        <Text size="xs" c="dimmed">
          {t("leaving.arrivals.counts", {
            patients: found.tables["patient"] ?? 0,
            orders: found.tables["orders"] ?? 0,
            files: found.files,
            size: showBytes(found.bytes),
          })}
        </Text>
      )}
      {found && (
        <Text size="xs" c="dimmed">
          {t("leaving.arrivals.people", { members: found.members, known: found.known })}
        </Text>
      )}
      {found !== null && found.lacking > 0 && (
        <Text size="xs" c="orange.9">
          {t("leaving.arrivals.lacking", { count: found.lacking })}
        </Text>
      )}
    </Stack>
  );
}

function State({ arrival }: { arrival: Arrival }) {
  const t = useTexts("leaving", "refusals");
  const { state, refusal, offset, bytes, progress } = arrival;
  const percent = percentOf(state === "sending" ? offset / bytes : progress);
  const moving = state === "checking" || state === "importing";
  return (
    <Stack gap={4} maw={280}>
      <Badge variant="light" color={colours[state]}>
        {t(`leaving.arrivals.state.${state}`)}
      </Badge>
      {moving && (
        <>
          <Text size="xs" c="dimmed">
            {t(`leaving.arrivals.${state}`, { percent })}
          </Text>
          <Progress value={percent} aria-label={t(`leaving.arrivals.${state}`, { percent })} />
        </>
      )}
      {state === "sending" && offset < bytes && (
        <Text size="xs" c="dimmed">
          {t("leaving.arrivals.paused")}
        </Text>
      )}
      {refusal && (
        <Text size="xs" c="red">
          {t(`refusals.${refusal}`)}
        </Text>
      )}
    </Stack>
  );
}
