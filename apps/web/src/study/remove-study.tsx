import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { studyRules } from "@arcada/contract/study/study.rules";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatStudyDay } from "./study-kinds.ts";

interface RemoveStudyProps {
  study: Pick<StudyRow, "id" | "kind" | "takenAt" | "createdAt">;
  opened: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

/** Moves a study to the bin after a confirmation. */
export function RemoveStudy({ study, opened, onClose, onRemoved }: RemoveStudyProps) {
  const t = useTexts("study");
  const remove = useCommand(studyCalls.remove);
  const confirm = async () => {
    if (await remove.run({ id: study.id })) {
      toast("success", t("study.removing.done"));
      onRemoved?.();
    }
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t("study.removing.title", { kind: t(`study.kind.${study.kind}`), day: formatStudyDay(study) })}
      text={t("study.removing.text", { days: studyRules.binDays })}
      confirm={t("study.removing.action")}
      busy={remove.busy}
      danger
    />
  );
}
