import { Button, Checkbox, Group, NumberInput, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { implantCalls } from "@arcada/contract/implant/implant.calls";
import { defaultGuideSettings, guideSettingLimits } from "@arcada/imaging/guide/guide-input";
import { toast } from "../../../../../browser/toast.ts";
import { createUniqueKey } from "../../../../../browser/unique-id.ts";
import { ask } from "../../../../../data/ask.ts";
import { uploadSession } from "../../../../../data/upload-authentication.ts";
import { getToday } from "../../../../../i18n/time-zone.ts";
import { useTexts } from "../../../../../i18n/texts.ts";
import { startUpload } from "../../../../../ui/upload/resumable-upload.ts";
import type { AnnotationStore } from "../../../../annotations/store/use-annotations.ts";
import { useRendering } from "../../../volume-rendering/rendering-context.tsx";
import { formatImplantName } from "../implant-name.ts";
import type { PlanParts } from "../plan-props.ts";
import type { GuideJob } from "./make-guide.worker.ts";
import { useGuideWorker } from "./use-guide-worker.ts";

interface Props extends Pick<PlanParts, "arch"> {
  annotations: Pick<AnnotationStore, "findSavedVersion">;
  studyId: string;
  onSaved: () => void;
}

/** Makes a surgical guide from the registered scan and the sleeves of the plan, and keeps it with the study. */
export function GuidePanel(props: Props) {
  const t = useTexts("implant");
  const { mesh, registered, model } = useRendering().scan;
  const hasSleeve = props.arch.implants.some(({ attachments }) => attachments.sleeve !== null);
  return (
    <Stack gap={6} mt="xs" role="group" aria-label={t("implant.guide.title")}>
      <Text size="xs" fw={600}>
        {t("implant.guide.title")}
      </Text>
      {mesh && registered && hasSleeve ? (
        <GuideForm
          {...props}
          scan={{ positions: mesh.positions, indices: mesh.indices }}
          transform={registered}
          scanName={model?.name ?? ""}
        />
      ) : (
        <Text size="xs" c="dimmed">
          {t(registered && mesh ? "implant.guide.noSleeve" : "implant.guide.noScan")}
        </Text>
      )}
    </Stack>
  );
}

type Measures = GuideJob["measures"];
/** `radius`: two teeth to each side. */
const usualMeasures: Measures = {
  thickness: defaultGuideSettings.thickness,
  gap: defaultGuideSettings.gap,
  radius: 18,
};

type FormProps = Props & Pick<GuideJob, "scan" | "transform"> & { scanName: string };

function GuideForm({ arch, annotations, studyId, onSaved, scan, transform, scanName }: FormProps) {
  const t = useTexts("implant");
  const [left, setLeft] = useState<readonly string[]>([]);
  const [measures, setMeasures] = useState(usualMeasures);
  const chosen = arch.implants.flatMap(({ annotation, body, attachments: { sleeve } }, at) =>
    sleeve && !left.includes(annotation.id) ? [{ body, sleeve, number: at + 1 }] : [],
  );
  // The version of the plan from which the guide is made: the plan may change while it is.
  const version = useRef<number | null>(null);
  const { state, make, cancel } = useGuideWorker(async (stl) => {
    if (version.current === null) return;
    const { thickness, gap } = measures;
    const sleeves = chosen.map(({ number }) => number);
    await saveGuide(studyId, version.current, stl, { thickness, gap, sleeves, scan: scanName });
    toast("success", t("implant.guide.saved"));
    onSaved();
  });
  return (
    <>
      <Text size="xs">
        {t("implant.guide.scan")}: {scanName}
      </Text>
      <SleeveChoice arch={arch} left={left} onChange={setLeft} />
      <MeasureFields measures={measures} onChange={setMeasures} />
      {state.state === "making" ? (
        <MakingProgress percent={state.percent} onCancel={cancel} />
      ) : (
        <Button
          size="compact-sm"
          variant="light"
          fullWidth
          disabled={chosen.length === 0}
          onClick={() => {
            version.current = annotations.findSavedVersion();
            if (version.current === null) return toast("error", t("implant.documents.unsaved"));
            make({ scan, transform, sleeves: chosen, measures });
          }}
        >
          {t("implant.guide.make")}
        </Button>
      )}
      {(state.state === "failed" || state.state === "divided") && (
        <Text size="xs" role="alert" c="red.3">
          {state.state === "failed"
            ? t(`implant.guide.problem.${state.problem}`)
            : t("implant.guide.parts", { count: state.parts })}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t("implant.guide.check")}
      </Text>
    </>
  );
}

function SleeveChoice({
  arch,
  left,
  onChange,
}: Pick<Props, "arch"> & { left: readonly string[]; onChange: (left: readonly string[]) => void }) {
  const t = useTexts("viewer", "implant");
  return (
    <div role="group" aria-label={t("implant.guide.sleeves")}>
      {arch.implants.map(
        (implant, at) =>
          implant.attachments.sleeve && (
            <Checkbox
              key={implant.annotation.id}
              size="xs"
              label={formatImplantName(t, implant, at + 1)}
              checked={!left.includes(implant.annotation.id)}
              onChange={({ currentTarget: { checked } }) => {
                const others = left.filter((id) => id !== implant.annotation.id);
                onChange(checked ? others : [...others, implant.annotation.id]);
              }}
            />
          ),
      )}
    </div>
  );
}

const fields = [
  ["thickness", ...guideSettingLimits.thickness, 0.5],
  ["gap", ...guideSettingLimits.gap, 0.05],
  ["radius", 8, 40, 1],
] as const;

function MeasureFields({ measures, onChange }: { measures: Measures; onChange: (measures: Measures) => void }) {
  const t = useTexts("implant");
  return (
    <SimpleGrid cols={2} spacing="xs" verticalSpacing={4}>
      {fields.map(([name, min, max, step]) => (
        <NumberInput
          key={name}
          size="xs"
          label={t(`implant.guide.${name}`)}
          {...{ min, max, step }}
          value={measures[name]}
          onChange={(typed) =>
            typeof typed === "number" && typed >= min && typed <= max && onChange({ ...measures, [name]: typed })
          }
        />
      ))}
    </SimpleGrid>
  );
}

function MakingProgress({ percent, onCancel }: { percent: number; onCancel: () => void }) {
  const t = useTexts("implant");
  const label = t("implant.guide.making", { percent });
  return (
    <div role="status">
      <Text size="xs">{label}</Text>
      <Progress value={percent} aria-label={label} my={4} />
      <Group>
        <Button size="compact-xs" variant="default" onClick={onCancel}>
          {t("implant.guide.cancel")}
        </Button>
      </Group>
    </div>
  );
}

async function saveGuide(
  studyId: string,
  version: number,
  stl: Uint8Array<ArrayBuffer>,
  settings: { thickness: number; gap: number; sleeves: number[]; scan: string },
): Promise<void> {
  const upload = await sendFile(new File([stl], `surgical-guide-${getToday()}.stl`, { type: "model/stl" }));
  await ask(implantCalls.saveGuide, { studyId, version, upload, settings }, { idempotencyKey: createUniqueKey() });
}

const sendFile = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    startUpload(file, uploadSession, {
      progress: () => {},
      done: resolve,
      refused: (problem) => reject(new Error(problem)),
    });
  });
