import { useDisclosure } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { useMay } from "../../kernel/permit.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { Tool } from "../frame/toolbar.tsx";
import type { Marks } from "./use-marks.ts";

const MarkVersionsDialog = lazy(async () => ({
  default: (await import("./mark-versions-dialog.tsx")).MarkVersionsDialog,
}));

/** Earlier versions of a study's annotations, for users who may draw on it. */
export function MarkVersions({ marks }: { marks: Marks }) {
  const t = useTexts("viewer");
  const [isOpen, { open, close }] = useDisclosure(false);
  const mayRead = useMay(studyCalls.markVersions);
  if (!mayRead || marks.studyId === null || marks.state === "own") return null;
  return (
    <>
      <Tool label={t("viewer.versions.title")} icon={IconHistory} onPress={open} />
      <Suspense>{isOpen && <MarkVersionsDialog studyId={marks.studyId} marks={marks} onClose={close} />}</Suspense>
    </>
  );
}
