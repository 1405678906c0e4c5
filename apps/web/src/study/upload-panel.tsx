import { Select, Stack } from "@mantine/core";
import { useState } from "react";
import { studyKinds } from "@arcada/contract/study/study.rules";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import { useTexts } from "../kernel/texts.ts";
import { FileDrop } from "../ui/file-drop.tsx";
import { Section } from "../ui/page.tsx";
import { BatchCard } from "./batch-card.tsx";
import { StayWhileSending } from "./stay-while-sending.tsx";
import { StudyDrawer } from "./study-drawer.tsx";
import { isKind } from "./study-kinds.ts";
import { addBatch, useBatches } from "./upload-batches.ts";

interface UploadPanelProps {
  patientId: string;
  /** Whose files are expected: shown beside whom the files name. */
  patientName: string;
  birthDate: string | null;
}

const bySystem = "auto";

/** Files go in here and come out as studies; what the server makes of them is followed to its end. */
export function UploadPanel({ patientId, patientName, birthDate }: UploadPanelProps) {
  const t = useTexts("study");
  const batches = useBatches(patientId);
  const [kind, setKind] = useState<StudyKind | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [details, setDetails] = useState<string | null>(null);
  return (
    <Section
      title={t("study.upload.title")}
      actions={
        <Select
          size="xs"
          w={190}
          aria-label={t("study.upload.kind")}
          allowDeselect={false}
          data={[
            { value: bySystem, label: t("study.upload.kindAuto") },
            ...studyKinds.map((one) => ({ value: one, label: t(`study.kind.${one}`) })),
          ]}
          value={kind ?? bySystem}
          onChange={(value) => setKind(isKind(value) ? value : null)}
        />
      }
    >
      <Stack gap="sm">
        <FileDrop
          hint={t("study.upload.hint")}
          onBusy={setBusy}
          onFinished={(uploads) => addBatch({ patientId, kind, uploads: uploads.map(({ id }) => id) })}
        />
        {batches.toReversed().map((batch) => (
          <BatchCard key={batch.key} batch={batch} patient={{ name: patientName, birthDate }} onDetails={setDetails} />
        ))}
      </Stack>
      <StayWhileSending isBusy={isBusy} />
      <StudyDrawer id={details} onClose={() => setDetails(null)} />
    </Section>
  );
}
