import { Select, Stack } from "@mantine/core";
import { useState } from "react";
import { chosenKinds } from "@arcada/contract/study/study.rules";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FileDropZone } from "../../ui/upload/file-drop.tsx";
import { InterruptedUploads } from "../../ui/upload/interrupted-uploads.tsx";
import { BatchCard } from "./batch-card.tsx";
import { StudyDrawer } from "../study-drawer.tsx";
import { StudyQuestions } from "./study-questions.tsx";
import { isKind } from "../study-kinds.ts";
import { getOwner, useBatches } from "./upload-batches.ts";
import { uploadFiles } from "./upload-manager.ts";

interface UploadPanelProps {
  patientId: string;
  patientName: string;
}

const automaticKind = "auto";

/** Files are dropped here and become studies. The upload continues when the user leaves the page. */
export function UploadPanel({ patientId, patientName }: UploadPanelProps) {
  const t = useTexts("study", "upload");
  const owner = getOwner(useSignedInUser());
  const all = useBatches();
  const [kind, setKind] = useState<ChosenKind | null>(null);
  const [details, setDetails] = useState<string | null>(null);
  const patient = { id: patientId, name: patientName };
  return (
    <>
      <Stack gap="sm">
        <FileDropZone
          hint={t("study.upload.hint")}
          options={<KindOfUpload kind={kind} onChange={setKind} />}
          onChosen={(files) => uploadFiles({ owner, patient, kind }, files)}
        />
        <StudyQuestions patientId={patientId} patientName={patientName} />
        {all.length === 0 && <InterruptedUploads />}
        {all
          .filter(({ batch }) => batch.patient.id === patientId)
          .map((now) => (
            <BatchCard key={now.batch.key} state={now} onDetails={setDetails} />
          ))}
      </Stack>
      <StudyDrawer id={details} onClose={() => setDetails(null)} />
    </>
  );
}

interface KindOfUploadProps {
  kind: ChosenKind | null;
  onChange: (kind: ChosenKind | null) => void;
}

/** The kind of the next files, for those in which it cannot be recognised. */
function KindOfUpload({ kind, onChange }: KindOfUploadProps) {
  const t = useTexts("study");
  return (
    <Select
      size="sm"
      w={190}
      aria-label={t("study.upload.kind")}
      allowDeselect={false}
      data={[
        { value: automaticKind, label: t("study.upload.kindAuto") },
        ...chosenKinds.map((one) => ({ value: one, label: t(`study.kind.${one}`) })),
      ]}
      value={kind ?? automaticKind}
      onChange={(value) => onChange(isKind(value) ? value : null)}
    />
  );
}
