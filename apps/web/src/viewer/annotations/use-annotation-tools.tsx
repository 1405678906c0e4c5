import { ColorSwatch, Group, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconPalette, IconTrash } from "@tabler/icons-react";
import { lazy, Suspense, type ReactNode } from "react";
import { annotationColours } from "@arcada/contract/study/annotation";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useCanAccess } from "../../session/permission-gate.tsx";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import { useAnnotationColour } from "./annotation-colour.ts";
import styles from "./annotation-colour-picker.module.css";
import type { DrawingSelection } from "./annotation-shortcuts.ts";
import type { AnnotationStore } from "./store/use-annotations.ts";

const AnnotationVersionsDialog = lazy(async () => ({
  default: (await import("./store/annotation-versions-dialog.tsx")).AnnotationVersionsDialog,
}));

export interface AnnotationTools {
  /** For every mode: undo and redo. */
  history: readonly ViewerTool[];
  remove: ViewerTool;
  colour: ViewerTool;
  /** Earlier versions, for users who may draw; else none. */
  versions: readonly ViewerTool[];
  /** To be rendered by the viewer: the dialog of the versions while it is open. */
  dialog: ReactNode;
}

/** Undo, redo, delete, colour and earlier versions of annotations, alike in every viewer. */
export function useAnnotationTools(annotations: AnnotationStore, drawing: DrawingSelection): AnnotationTools {
  const t = useTexts("viewer");
  const [colour, setColour] = useAnnotationColour(annotations, drawing.chosen);
  const [isOpen, { open, close }] = useDisclosure(false);
  const mayRead = useCanAccess(annotationCalls.markVersions);
  const { studyId } = annotations;
  const hasVersions = mayRead && studyId !== null && annotations.state !== "own";
  return {
    history: [
      {
        id: "undo",
        label: t("viewer.undo"),
        icon: IconArrowBackUp,
        keys: "Ctrl+Z",
        disabled: !annotations.canUndo,
        onPress: annotations.undo,
      },
      {
        id: "redo",
        label: t("viewer.redo"),
        icon: IconArrowForwardUp,
        keys: "Ctrl+Shift+Z",
        disabled: !annotations.canRedo,
        onPress: annotations.redo,
      },
    ],
    remove: {
      id: "remove",
      label: t("viewer.removeMark"),
      icon: IconTrash,
      keys: "Delete",
      disabled: !drawing.chosen,
      onPress: drawing.removeChosen,
    },
    colour: {
      id: "colour",
      label: t("viewer.marks.colour"),
      icon: IconPalette,
      isOn: colour !== annotationColours[0],
      panel: <ColourChoice colour={colour} onChange={setColour} />,
    },
    versions: hasVersions
      ? [{ id: "versions", label: t("viewer.versions.title"), icon: IconHistory, onPress: open }]
      : [],
    dialog: (
      <Suspense>
        {isOpen && hasVersions && (
          <AnnotationVersionsDialog studyId={studyId} annotations={annotations} onClose={close} />
        )}
      </Suspense>
    ),
  };
}

type Colour = (typeof annotationColours)[number];

/** The colour of the selected annotation and of those that follow. */
function ColourChoice({ colour, onChange }: { colour: Colour; onChange: (colour: Colour) => void }) {
  const t = useTexts("viewer");
  return (
    <Group gap={4} role="group" aria-label={t("viewer.marks.colour")}>
      {annotationColours.map((each) => (
        <UnstyledButton
          key={each}
          className={styles.choice ?? ""}
          aria-label={t(`viewer.marks.colours.${each}`)}
          aria-pressed={each === colour}
          onClick={() => onChange(each)}
        >
          <ColorSwatch component="span" size={22} color={`var(--mark-${each})`} aria-hidden />
        </UnstyledButton>
      ))}
    </Group>
  );
}
