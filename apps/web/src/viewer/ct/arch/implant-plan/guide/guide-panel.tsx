import { Button, Checkbox, Group, NumberInput, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { implantCalls } from "@arcada/contract/implant/implant.calls";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { defaultGuideSettings, guideSettingLimits, type GuideInput } from "@arcada/imaging/guide/guide-input";
import { getOutwardAxis } from "@arcada/imaging/implant/implant-parts";
import { toast } from "../../../../../browser/toast.ts";
import { createUniqueKey } from "../../../../../browser/unique-id.ts";
import { ask } from "../../../../../data/ask.ts";
import { uploadSession } from "../../../../../data/upload-authentication.ts";
import { useTexts } from "../../../../../i18n/texts.ts";
import { startUpload } from "../../../../../ui/upload/resumable-upload.ts";
import { useRendering } from "../../../volume-rendering/rendering-context.tsx";
import { formatImplantName } from "../implant-name.ts";
import type { Implant } from "../implant-plan.ts";
import type { PlanParts } from "../plan-props.ts";
import { useGuideWorker } from "./use-guide-worker.ts";

interface Props extends Pick<PlanParts, "arch"> {
  studyId: string;
  onSaved: () => void;
}

/** mm around the sleeves that a guide covers: two teeth to each side. */
const defaultRadius = 18;

/** Makes a surgical guide from the registered scan and the sleeves of the plan, and keeps it with the study. */
export function GuidePanel({ arch, studyId, onSaved }: Props) {
  const t = useTexts("viewer", "implant");
  const { mesh, registered, model } = useRendering().scan;
  const sleeved = arch.implants.flatMap((implant, at) =>
    implant.attachments.sleeve ? [{ implant, number: at + 1 }] : [],
  );
  const [left, setLeft] = useState<readonly string[]>([]);
  const [measures, setMeasures] = useState({
    thickness: defaultGuideSettings.thickness,
    gap: defaultGuideSettings.gap,
    radius: defaultRadius,
  });
  const chosen = sleeved.filter(({ implant }) => !left.includes(implant.annotation.id));
  const { state, make, cancel } = useGuideWorker(async (stl) => {
    await saveGuide(studyId, stl, {
      thickness: measures.thickness,
      gap: measures.gap,
      sleeves: chosen.map(({ number }) => number),
      scan: model?.name ?? "",
    });
    toast("success", t("implant.guide.saved"));
    onSaved();
  });
  const missing = !registered || !mesh ? "noScan" : sleeved.length === 0 ? "noSleeve" : null;
  return (
    <Stack gap={6} mt="xs" role="group" aria-label={t("implant.guide.title")}>
      <Text size="xs" fw={600}>
        {t("implant.guide.title")}
      </Text>
      {missing && (
        <Text size="xs" c="dimmed">
          {t(`implant.guide.${missing}`)}
        </Text>
      )}
      {!missing && registered && mesh && (
        <>
          <Text size="xs">
            {t("implant.guide.scan")}: {model?.name}
          </Text>
          {sleeved.map(({ implant, number }) => (
            <Checkbox
              key={implant.annotation.id}
              size="xs"
              label={formatImplantName(t, implant, number)}
              checked={!left.includes(implant.annotation.id)}
              onChange={({ currentTarget: { checked } }) =>
                setLeft((now) =>
                  checked ? now.filter((id) => id !== implant.annotation.id) : [...now, implant.annotation.id],
                )
              }
            />
          ))}
          <MeasureFields measures={measures} onChange={setMeasures} />
          {state.state === "making" ? (
            <MakingProgress percent={state.percent} onCancel={cancel} />
          ) : (
            <Button
              size="compact-sm"
              variant="light"
              fullWidth
              disabled={chosen.length === 0}
              onClick={() =>
                make(
                  buildGuideInput({ positions: mesh.positions, indices: mesh.indices }, registered, chosen, measures),
                )
              }
            >
              {t("implant.guide.make")}
            </Button>
          )}
          {state.state === "failed" && (
            <Text size="xs" role="alert" c="red.3">
              {t(`implant.guide.problem.${state.problem}`)}
            </Text>
          )}
          {state.state === "divided" && (
            <Text size="xs" role="alert" c="red.3">
              {t("implant.guide.parts", { count: state.parts })}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {t("implant.guide.check")}
          </Text>
        </>
      )}
    </Stack>
  );
}

interface Measures {
  thickness: number;
  gap: number;
  radius: number;
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

const buildGuideInput = (
  scan: { positions: Float32Array; indices: Uint32Array },
  transform: GuideInput["transform"],
  chosen: readonly { implant: Implant }[],
  { thickness, gap, radius }: Measures,
): GuideInput => ({
  scan: { ...scan, colours: null },
  transform,
  sleeves: chosen.flatMap(({ implant: { body, attachments } }) =>
    attachments.sleeve
      ? [
          {
            position: body.head,
            axis: getOutwardAxis(body),
            diameter: attachments.sleeve.outer,
            height: attachments.sleeve.height,
            offset: attachments.sleeve.offset,
          },
        ]
      : [],
  ),
  region: { kind: "radius", mm: radius },
  insertion: null,
  settings: { thickness, gap },
});

async function saveGuide(
  studyId: string,
  stl: Uint8Array<ArrayBuffer>,
  settings: { thickness: number; gap: number; sleeves: number[]; scan: string },
): Promise<void> {
  const { version } = await ask(annotationCalls.marks, { id: studyId });
  const name = `surgical-guide-${new Date().toISOString().slice(0, 10)}.stl`;
  const upload = await sendFile(new File([stl], name, { type: "model/stl" }));
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
