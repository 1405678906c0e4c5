import { Button, Stack, Text } from "@mantine/core";
import { IconHeartRateMonitor } from "@tabler/icons-react";
import { useState } from "react";
import { hl7Calls } from "@arcada/contract/hl7/hl7.calls";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { Hl7Form } from "./hl7-form.tsx";
import { Hl7Log } from "./hl7-log.tsx";
import { Hl7Waiting } from "./hl7-waiting.tsx";

type Hl7Dialog = "new" | "edit" | "remove" | "log";

/** The systems that exchange HL7 messages with the clinic, and the messages about which a person decides. */
export function Hl7Section() {
  const t = useTexts("hl7");
  const [open, setOpen] = useState<{ what: Hl7Dialog; id: string } | null>(null);
  const query = useCall(hl7Calls.connections, {}, { pollMs: 5000 });
  const close = () => setOpen(null);
  const chosen = query.data?.find(({ id }) => id === open?.id);
  return (
    <Section
      flush
      title={t("hl7.title")}
      description={t("hl7.says")}
      actions={
        <Button
          variant="default"
          leftSection={<IconHeartRateMonitor size={18} aria-hidden />}
          onClick={() => setOpen({ what: "new", id: "" })}
        >
          {t("hl7.new")}
        </Button>
      }
    >
      <QueryResult of={query} empty={<EmptyState title={t("hl7.none")} text={t("hl7.noneText")} />}>
        {(connections) => (
          <>
            {connections.some(({ waiting }) => waiting > 0) && <Hl7Waiting />}
            <DataTable
              label={t("hl7.title")}
              columns={buildColumns(t)}
              rows={connections}
              rowKey={({ id }) => id}
              actionsTitle={t("common.actions")}
              actions={(one) => <Hl7Actions connection={one} onOpen={(what) => setOpen({ what, id: one.id })} />}
            />
          </>
        )}
      </QueryResult>
      {open?.what === "new" && <Hl7Form onClose={close} />}
      {chosen && open?.what === "log" && <Hl7Log connection={chosen} onClose={close} />}
      {chosen && open?.what === "edit" && <Hl7Form connection={chosen} onClose={close} />}
      {chosen && open?.what === "remove" && <RemoveHl7 connection={chosen} onClose={close} />}
    </Section>
  );
}

const buildColumns = (t: Translate): Column<Hl7Connection>[] => [
  {
    key: "name",
    title: t("hl7.name"),
    narrow: "head",
    show: ({ name, application, facility }) => (
      <Stack gap={2} miw={0}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          <bdi dir="ltr">{[application, facility].filter(Boolean).join(" · ")}</bdi>
        </Text>
      </Stack>
    ),
  },
  {
    key: "results",
    title: t("hl7.results"),
    show: ({ results, host, port }) => (
      <Stack gap={2} miw={0}>
        <Text size="sm">{t(`hl7.resultsOf.${results}`)}</Text>
        {results !== "off" && (
          <Text size="xs" c="dimmed" dir="ltr" ta="start" maw={260} truncate title={host}>
            {`${host}:${port}`}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "last",
    title: t("hl7.last"),
    show: ({ receivedAt, reachedAt, failedAt, problem }) => (
      <Stack gap={2} miw={0}>
        {receivedAt && (
          <Text size="xs" className="arcada-figures">
            {t("hl7.received", { time: formatTimestamp(receivedAt) })}
          </Text>
        )}
        {reachedAt && (
          <Text size="xs" className="arcada-figures">
            {t("hl7.reached", { time: formatTimestamp(reachedAt) })}
          </Text>
        )}
        {problem && failedAt && (
          <Text size="xs" c="red" maw={320}>
            {t("hl7.failed", { time: formatTimestamp(failedAt), problem: t(`hl7.problem.${problem}`) })}
          </Text>
        )}
        {!receivedAt && !reachedAt && !problem && <Text size="xs">{t("hl7.never")}</Text>}
      </Stack>
    ),
  },
];

interface ActionsProps {
  connection: Hl7Connection;
  onOpen: (what: Hl7Dialog) => void;
}
function Hl7Actions({ connection: { id, name, host }, onOpen }: ActionsProps) {
  const t = useTexts("hl7");
  const attempt = useCommand(hl7Calls.tryConnection);
  const test = async () => {
    const done = await attempt.run({ id });
    if (!done) return;
    const { problem, detail, milliseconds } = done.data;
    if (problem === null) toast("success", t("hl7.works", { ms: milliseconds }));
    else toast("error", [t(`hl7.problem.${problem}`), detail].filter(Boolean).join(" "));
  };
  return (
    <ConnectionActions
      name={name}
      buttons={[
        ...(host === "" ? [] : [{ label: t("hl7.try"), onClick: () => void test(), isBusy: attempt.busy }]),
        { label: t("hl7.log"), onClick: () => onOpen("log") },
      ]}
      menuLabel={t("hl7.more")}
      menu={[
        { label: t("hl7.edit"), onClick: () => onOpen("edit") },
        { label: t("hl7.remove"), onClick: () => onOpen("remove") },
      ]}
    />
  );
}

function RemoveHl7({ connection: { id, name }, onClose }: { connection: Hl7Connection; onClose: () => void }) {
  const t = useTexts("hl7");
  const remove = useCommand(hl7Calls.removeConnection);
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={() => void remove.run({ id }).then((done) => done && onClose())}
      busy={remove.busy}
      title={t("hl7.removeTitle", { name })}
      text={t("hl7.removeText")}
      confirm={t("hl7.remove")}
    />
  );
}
