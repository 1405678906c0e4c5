import { useDisclosure } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { useCanAccess } from "../../../session/permission-gate.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { ToolButton } from "../../ui/toolbar/toolbar.tsx";
import type { AnnotationStore } from "./use-annotations.ts";

const AnnotationVersionsDialog = lazy(async () => ({
  default: (await import("./annotation-versions-dialog.tsx")).AnnotationVersionsDialog,
}));

/** Earlier versions of a study's annotations, for users who may draw on it. */
export function AnnotationVersionsTool({ annotations }: { annotations: AnnotationStore }) {
  const t = useTexts("viewer");
  const [isOpen, { open, close }] = useDisclosure(false);
  const mayRead = useCanAccess(annotationCalls.markVersions);
  if (!mayRead || annotations.studyId === null || annotations.state === "own") return null;
  return (
    <>
      <ToolButton label={t("viewer.versions.title")} icon={IconHistory} onPress={open} />
      <Suspense>
        {isOpen && <AnnotationVersionsDialog studyId={annotations.studyId} annotations={annotations} onClose={close} />}
      </Suspense>
    </>
  );
}
