import { Alert, Anchor, Button, List, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { segmentationCalls } from "@arcada/contract/study/segmentation.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { useAppearance } from "../../../../browser/appearance.ts";
import { ask, send } from "../../../../data/ask.ts";
import { notifyCommandSuccess } from "../../../../data/command-success-and-ended-records.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { formatRootName } from "../implant-plan/tooth-root-shape.tsx";
import type { CtViewerState } from "../../layout/viewport-props.ts";

interface Props extends Pick<CtViewerState, "arch" | "annotations"> {
  seriesId: string;
}

type Work = { state: "idle" | "making" | "failed" } | { state: "made"; url: string | null };

/** Lists the structures that the segmentation will have, and writes it into the study. */
export function SegmentationForm({ arch, annotations, seriesId }: Props) {
  const t = useTexts("viewer");
  const structures = useStructureNames(arch);
  const version = annotations.findSavedVersion();
  const [work, setWork] = useState<Work>({ state: "idle" });
  const { studyId } = annotations;
  const make = async (id: string, of: number) => {
    setWork({ state: "making" });
    const url = await writeSegmentation({ id, seriesId, version: of });
    setWork(url === undefined ? { state: "failed" } : { state: "made", url });
  };
  if (structures.length === 0)
    return (
      <Text size="sm" maw={340}>
        {t("viewer.export.segmentation.none")}
      </Text>
    );
  return (
    <Stack gap="xs" maw={340}>
      <Text size="sm">{t("viewer.export.segmentation.what")}</Text>
      <List size="sm">
        {structures.map(({ id, name }) => (
          <List.Item key={id}>{name}</List.Item>
        ))}
      </List>
      <Button
        size="sm"
        loading={work.state === "making"}
        disabled={version === null || studyId === null}
        onClick={() => version !== null && studyId !== null && void make(studyId, version)}
      >
        {t("viewer.export.segmentation.make")}
      </Button>
      <div role="status">
        {version === null && <Text size="xs">{t("viewer.export.segmentation.unsaved")}</Text>}
        {work.state === "making" && <Text size="xs">{t("viewer.export.segmentation.making")}</Text>}
        {work.state === "made" && (
          <Stack gap={4}>
            <Text size="sm">{t("viewer.export.segmentation.done")}</Text>
            {work.url && (
              <Anchor href={work.url} download size="sm">
                {t("viewer.export.segmentation.download")}
              </Anchor>
            )}
          </Stack>
        )}
      </div>
      {work.state === "failed" && <Alert color="red">{t("viewer.export.segmentation.failed")}</Alert>}
    </Stack>
  );
}

function useStructureNames({ canals, roots }: CtViewerState["arch"]): { id: string; name: string }[] {
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  return [
    ...canals.map(({ annotation, side }) => ({ id: annotation.id, name: t(`viewer.arch.canal.${side}`) })),
    ...roots.map((root, at) => ({ id: root.annotation.id, name: formatRootName(t, root, at + 1, teeth) })),
  ];
}

const pollMs = 700;

/** The address of the file once it is part of the study, null where it may not be taken; undefined if that failed. */
async function writeSegmentation(of: {
  id: string;
  seriesId: string;
  version: number;
}): Promise<string | null | undefined> {
  try {
    let job = await ask(segmentationCalls.segmentation, of);
    while (job.state === "waiting" || job.state === "running") {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      job = await send(uploadJobCalls.job, { id: job.id });
    }
    if (job.state !== "done") return undefined;
    notifyCommandSuccess(segmentationCalls.segmentation);
    const { series } = await send(studyCalls.detail, { id: of.id });
    return series.findLast(({ modality }) => modality === "SEG")?.instances.at(-1)?.originalUrl ?? null;
  } catch {
    return undefined;
  }
}
