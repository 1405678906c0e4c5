import { Button, Stack, Text } from "@mantine/core";
import { IconDental } from "@tabler/icons-react";
import { useState } from "react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { formatTimestamp } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { useCall } from "../../../../data/use-call.ts";
import { ToolPanel } from "../../../ui/toolbar/tool-panel.tsx";
import { useRendering } from "../rendering-context.tsx";

/** The scans of this patient, one of which is registered with the volume. */
export function ScanChoice({ patientId }: { patientId: string }) {
  const t = useTexts("viewer");
  const { scan } = useRendering();
  return (
    <ToolPanel label={t("viewer.render.scan.title")} icon={IconDental} isOn={scan.chosen !== null}>
      <ScanList patientId={patientId} />
    </ToolPanel>
  );
}

function ScanList({ patientId }: { patientId: string }) {
  const t = useTexts("viewer");
  const [open, setOpen] = useState<string | null>(null);
  const studies = useCall(studyCalls.list, { patientId, kind: "model" }).data ?? [];
  return (
    <Stack gap="xs" w={240}>
      <Text size="xs">{t("viewer.render.scan.choose")}</Text>
      {studies.length === 0 && <Text size="xs">{t("viewer.render.scan.none")}</Text>}
      {studies.map((study) => (
        <div key={study.id}>
          <Button
            size="xs"
            fullWidth
            variant="subtle"
            aria-expanded={open === study.id}
            onClick={() => setOpen(open === study.id ? null : study.id)}
          >
            {[study.takenAt ? formatTimestamp(study.takenAt) : t("viewer.undated"), study.description]
              .filter(Boolean)
              .join(" · ")}
          </Button>
          {open === study.id && <ScanModels study={study.id} />}
        </div>
      ))}
    </Stack>
  );
}

function ScanModels({ study }: { study: string }) {
  const { scan } = useRendering();
  const models = useCall(studyCalls.detail, { id: study }).data?.series.flatMap(({ instances }) => instances) ?? [];
  return (
    <Stack gap={4}>
      {models
        .filter(({ model }) => model !== null)
        .map(({ id, name }) => (
          <Button key={id} size="compact-xs" variant="light" onClick={() => scan.choose(study, id)}>
            {name}
          </Button>
        ))}
    </Stack>
  );
}
