import { Button, Drawer, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { studyBinCalls } from "@arcada/contract/study/study-bin.calls";
import type { BinRow } from "@arcada/contract/study/study-bin.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { formatDay } from "../../i18n/format.ts";
import { PermissionGate } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import { formatStudyDay } from "../study-kinds.ts";
import { StudyThumbnail } from "../study-thumbnail.tsx";
import classes from "./inbox.module.css";

/** Opens the removed studies of a patient, or (null) of the inbox. */
export function StudyBin({ patientId }: { patientId: string | null }) {
  const t = useTexts("inbox");
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <PermissionGate to={studyBinCalls.bin}>
      <Button size="xs" variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={open}>
        {t("inbox.bin.open")}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size={460}
        title={t("inbox.bin.title")}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        {opened && <RemovedStudies patientId={patientId} />}
      </Drawer>
    </PermissionGate>
  );
}

function RemovedStudies({ patientId }: { patientId: string | null }) {
  const t = useTexts("inbox");
  const bin = useCall(studyBinCalls.bin, patientId ? { patientId } : {});
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t("inbox.bin.says", { days: studyRules.binDays })}
      </Text>
      <QueryResult of={bin} empty={<EmptyState title={t("inbox.bin.none")} />}>
        {(list) => (
          <ul className={classes.found} aria-label={t("inbox.bin.title")}>
            {list.map((study) => (
              <RemovedStudy key={study.id} study={study} />
            ))}
          </ul>
        )}
      </QueryResult>
    </>
  );
}

function RemovedStudy({ study }: { study: BinRow }) {
  const t = useTexts("inbox", "study");
  const restore = useCommand(studyBinCalls.restore);
  const [kind, day] = [t(`study.kind.${study.kind}`), formatStudyDay(study)];
  const run = async () => {
    if (await restore.run({ id: study.id })) toast("success", t("inbox.bin.restored"));
  };
  return (
    <li>
      <StudyThumbnail study={study} className={classes.small} isSmall />
      <div className={classes.who}>
        <Text size="sm" fw={600}>
          {kind} · <span className="arcada-figures">{day}</span>
        </Text>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {t("inbox.bin.until", { day: formatDay(study.goesAt) })}
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="light"
        loading={restore.busy}
        aria-label={t("inbox.bin.restoreOne", { kind, day })}
        onClick={() => void run()}
      >
        {t("inbox.bin.restore")}
      </Button>
    </li>
  );
}
