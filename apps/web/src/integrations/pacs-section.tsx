import { Button, Stack, Text } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import { useState } from "react";
import { pacsCalls } from "@arcada/contract/pacs/pacs.calls";
import type { PacsDestination } from "@arcada/contract/pacs/pacs.calls";
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
import { PacsForm } from "./pacs-form.tsx";
import { PacsLog } from "./pacs-log.tsx";

type PacsDialog = "new" | "edit" | "remove" | "log";

/** The PACS to which the clinic sends, and what was sent. */
export function PacsSection() {
  const t = useTexts("pacs");
  const [open, setOpen] = useState<{ what: PacsDialog; id: string } | null>(null);
  const query = useCall(pacsCalls.destinations, {}, { pollMs: 5000 });
  const close = () => setOpen(null);
  const chosen = query.data?.find(({ id }) => id === open?.id);
  return (
    <Section
      flush
      title={t("pacs.title")}
      description={t("pacs.says")}
      actions={
        <Button
          variant="default"
          leftSection={<IconServer2 size={18} aria-hidden />}
          onClick={() => setOpen({ what: "new", id: "" })}
        >
          {t("pacs.new")}
        </Button>
      }
    >
      <QueryResult of={query} empty={<EmptyState title={t("pacs.none")} text={t("pacs.noneText")} />}>
        {(destinations) => (
          <DataTable
            label={t("pacs.title")}
            columns={buildColumns(t)}
            rows={destinations}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(one) => <PacsActions destination={one} onOpen={(what) => setOpen({ what, id: one.id })} />}
          />
        )}
      </QueryResult>
      {open?.what === "new" && <PacsForm onClose={close} />}
      {open?.what === "log" && <PacsLog onClose={close} />}
      {chosen && open?.what === "edit" && <PacsForm destination={chosen} onClose={close} />}
      {chosen && open?.what === "remove" && <RemovePacs destination={chosen} onClose={close} />}
    </Section>
  );
}

const buildColumns = (t: Translate): Column<PacsDestination>[] => [
  {
    key: "name",
    title: t("pacs.name"),
    narrow: "head",
    show: ({ name, title }) => (
      <Stack gap={2} miw={0}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          <bdi dir="ltr">{title}</bdi>
        </Text>
      </Stack>
    ),
  },
  {
    key: "address",
    title: t("pacs.address"),
    show: ({ host, port, tls }) => (
      <Stack gap={2} miw={0}>
        <Text size="sm" dir="ltr" ta="start" maw={260} truncate title={host}>
          {`${host}:${port}`}
        </Text>
        {tls && (
          <Text size="xs" c="dimmed">
            {t("pacs.encrypted")}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "connection",
    title: t("pacs.connection"),
    show: ({ reachedAt, failedAt, problem }) =>
      problem && failedAt ? (
        <Text size="xs" c="red" maw={320}>
          {t("pacs.failed", { time: formatTimestamp(failedAt), problem: t(`pacs.problem.${problem}`) })}
        </Text>
      ) : (
        <span className="arcada-figures">{reachedAt ? formatTimestamp(reachedAt) : t("pacs.never")}</span>
      ),
  },
];

interface ActionsProps {
  destination: PacsDestination;
  onOpen: (what: PacsDialog) => void;
}
function PacsActions({ destination: { id, name }, onOpen }: ActionsProps) {
  const t = useTexts("pacs");
  const attempt = useCommand(pacsCalls.tryDestination);
  const test = async () => {
    const done = await attempt.run({ id });
    if (!done) return;
    const { problem, detail, milliseconds } = done.data;
    if (problem === null) toast("success", t("pacs.works", { ms: milliseconds }));
    else toast("error", [t(`pacs.problem.${problem}`), detail].filter(Boolean).join(" "));
  };
  return (
    <ConnectionActions
      name={name}
      buttons={[
        { label: t("pacs.try"), onClick: () => void test(), isBusy: attempt.busy },
        { label: t("pacs.log"), onClick: () => onOpen("log") },
      ]}
      menuLabel={t("pacs.more")}
      menu={[
        { label: t("pacs.edit"), onClick: () => onOpen("edit") },
        { label: t("pacs.remove"), onClick: () => onOpen("remove") },
      ]}
    />
  );
}

function RemovePacs({ destination: { id, name }, onClose }: { destination: PacsDestination; onClose: () => void }) {
  const t = useTexts("pacs");
  const remove = useCommand(pacsCalls.removeDestination);
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={() => void remove.run({ id }).then((done) => done && onClose())}
      busy={remove.busy}
      title={t("pacs.removeTitle", { name })}
      text={t("pacs.removeText")}
      confirm={t("pacs.remove")}
    />
  );
}
