import { Alert, List } from "@mantine/core";
import { IconEyeExclamation } from "@tabler/icons-react";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { studyDownloadCalls } from "@arcada/contract/study/study-download.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { formatDay, formatList } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import type { Draft } from "./order-draft.ts";

interface IdentityWarningsProps {
  draft: Draft;
  studies: readonly StudyRow[];
}

/**
 * Warns about content that may still identify the patient although the lab must not know the name: images, documents,
 * archives.
 */
export function IdentityWarnings({ draft, studies }: IdentityWarningsProps) {
  const t = useTexts("order", "study");
  const { data: institution } = useCall(institutionCalls.detail, {});
  const isHidden = draft.maskName || institution?.hidePatientNames === true;
  const { patientId } = draft;
  const { data: identifying } = useCall(
    studyDownloadCalls.telling,
    { patientId },
    { enabled: isHidden && patientId !== "" },
  );
  if (!isHidden) return null;
  const images = studies.flatMap((study) => {
    const reasons = identifying?.find(({ studyId }) => studyId === study.id)?.reasons ?? [];
    if (!draft.studies.includes(study.id) || reasons.length === 0) return [];
    const name = `${t(`order.studyKind.${study.kind}`)}, ${formatDay(study.takenAt ?? study.createdAt)}`;
    return [{ key: study.id, name, text: formatList(reasons.map((reason) => t(`study.telling.reason.${reason}`))) }];
  });
  const files = draft.uploads.flatMap(({ upload, name }) => {
    const outcome = getDeidentifyOutcome(name);
    return outcome === "cleaned" ? [] : [{ key: upload, name, text: t(`order.hidden.file.${outcome}`) }];
  });
  const found = [...images, ...files];
  if (found.length === 0) return null;
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<IconEyeExclamation size={18} stroke={1.6} aria-hidden />}
      title={t("order.hidden.title")}
    >
      {t("order.hidden.text")}
      <List size="sm" mt={6}>
        {found.map(({ key, name, text }) => (
          <List.Item key={key}>{t("order.hidden.item", { name, text })}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/**
 * If names are hidden, a file is either rebuilt without them or kept back. Only the file name is known at this point.
 */
type DeidentifyOutcome = "cleaned" | "keptBack";

function getDeidentifyOutcome(name: string): DeidentifyOutcome {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return ["stl", "ply", "obj", "3mf", "jpg", "jpeg", "png", "bmp", "dcm", "dicom"].includes(ending)
    ? "cleaned"
    : "keptBack";
}
