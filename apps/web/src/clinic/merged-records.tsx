import { Button, Text } from "@mantine/core";
import { IconUnlink } from "@tabler/icons-react";
import { useState } from "react";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";

type MergedRecord = ClinicDetail["joined"][number];

/** The records that were merged into this one, as long as they can be separated again. */
export function MergedRecords({ clinic }: { clinic: ClinicDetail }) {
  const t = useTexts("clinic");
  const [unlinking, setUnlinking] = useState<MergedRecord | null>(null);
  if (clinic.joined.length === 0) return null;
  return (
    <Section title={t("clinic.joined")} flush>
      <DataTable
        label={t("clinic.joined")}
        columns={buildColumns(t)}
        rows={clinic.joined}
        rowKey={({ id }) => id}
        actionsTitle={t("common.actions")}
        actions={(merged) => (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconUnlink size={16} aria-hidden />}
            aria-label={`${t("clinic.unlink")}: ${merged.name}`}
            onClick={() => setUnlinking(merged)}
          >
            {t("clinic.unlink")}
          </Button>
        )}
      />
      {unlinking && <Unlink clinic={clinic} merged={unlinking} onClose={() => setUnlinking(null)} />}
    </Section>
  );
}

const buildColumns = (t: Translate): Column<MergedRecord>[] => [
  {
    key: "name",
    title: t("clinic.name"),
    narrow: "head",
    show: ({ name }) => (
      <Text size="sm" fw={600}>
        {name}
      </Text>
    ),
  },
  {
    key: "number",
    title: t("clinic.number"),
    show: ({ number }) => <span className="arcada-figures">{number}</span>,
  },
  { key: "by", title: t("clinic.joinedBy"), show: ({ by }) => by },
  {
    key: "at",
    title: t("clinic.joinedAt"),
    show: ({ at }) => <span className="arcada-figures">{formatTimestamp(at)}</span>,
  },
];

interface UnlinkProps {
  clinic: ClinicDetail;
  merged: MergedRecord;
  onClose: () => void;
}
function Unlink({ clinic: { id, version, name }, merged, onClose }: UnlinkProps) {
  const t = useTexts("clinic");
  const go = useOpenScreen();
  const unlink = useCommand(clinicCalls.unlink);
  const confirm = async () => {
    const done = await unlink.run({ id, version, joinId: merged.id });
    onClose();
    if (!done) return;
    toast("success", t("clinic.unlinked"));
    go("clinicDetail", { id: done.data.id });
  };
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={() => void confirm()}
      busy={unlink.busy}
      title={t("clinic.unlinkTitle", { name: merged.name })}
      text={t("clinic.unlinkText", { name })}
      confirm={t("clinic.unlink")}
    />
  );
}
