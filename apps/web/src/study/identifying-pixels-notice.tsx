import { Alert, List } from "@mantine/core";
import { IconEyeExclamation } from "@tabler/icons-react";
import { studyDownloadCalls } from "@arcada/contract/study/study-download.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { formatList } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { formatStudyDay } from "./study-kinds.ts";

interface IdentifyingStudiesProps {
  patientId: string;
  studies: readonly StudyRow[];
}

/** Lists the studies whose pixels may still identify the patient, with the reasons; nothing if there are none. */
export function IdentifyingStudies({ patientId, studies }: IdentifyingStudiesProps) {
  const t = useTexts("study");
  const { data } = useCall(studyDownloadCalls.telling, { patientId });
  const found = studies.flatMap((study) => {
    const reasons = data?.find(({ studyId }) => studyId === study.id)?.reasons ?? [];
    return reasons.length > 0 ? [{ study, reasons }] : [];
  });
  if (found.length === 0) return null;
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<IconEyeExclamation size={18} stroke={1.6} aria-hidden />}
      title={t("study.telling.title")}
    >
      {t("study.telling.text")}
      <List size="sm" mt={6}>
        {found.map(({ study, reasons }) => (
          <List.Item key={study.id}>
            {t("study.telling.item", {
              study: t("study.open", { kind: t(`study.kind.${study.kind}`), day: formatStudyDay(study) }),
              reasons: formatList(reasons.map((reason) => t(`study.telling.reason.${reason}`))),
            })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
