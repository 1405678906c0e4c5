import { IconArrowBackUp, IconArrowForwardUp, IconTrash } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import type { Shortcuts } from "../frame/shortcuts.ts";
import { ToolButton } from "../frame/toolbar.tsx";
import type { ToolItems } from "../frame/toolbar-choice.tsx";
import { annotationKindOf, type DrawingTool } from "./kind.ts";
import { AnnotationColourPicker } from "./mark-colours.tsx";
import { AnnotationVersionsTool } from "./mark-versions.tsx";
import type { Drawing } from "./use-drawing.ts";
import type { AnnotationStore } from "./use-marks.ts";

type DrawingSelection = Pick<Drawing<never>, "chosen" | "choose" | "discardDraft" | "removeChosen">;

/** Undo, redo and delete, alike in every viewer. */
export function AnnotationTools({ annotations, drawing }: { annotations: AnnotationStore; drawing: DrawingSelection }) {
  const t = useTexts("viewer");
  return (
    <>
      <ToolButton
        label={t("viewer.undo")}
        icon={IconArrowBackUp}
        keys="Ctrl+Z"
        disabled={!annotations.canUndo}
        onPress={annotations.undo}
      />
      <ToolButton
        label={t("viewer.redo")}
        icon={IconArrowForwardUp}
        keys="Ctrl+Shift+Z"
        disabled={!annotations.canRedo}
        onPress={annotations.redo}
      />
      <ToolButton
        label={t("viewer.removeMark")}
        icon={IconTrash}
        keys="Delete"
        disabled={!drawing.chosen}
        onPress={drawing.removeChosen}
      />
      <AnnotationColourPicker annotations={annotations} chosen={drawing.chosen} />
      <AnnotationVersionsTool annotations={annotations} />
    </>
  );
}

export const annotationShortcuts = (annotations: AnnotationStore, drawing: DrawingSelection): Shortcuts => ({
  "Ctrl+Z": annotations.undo,
  "Ctrl+Shift+Z": annotations.redo,
  "Ctrl+Y": annotations.redo,
  Delete: drawing.removeChosen,
  Backspace: drawing.removeChosen,
  Escape: () => drawing.discardDraft() || drawing.choose(null),
});

/** Annotation tools for a viewer's toolbar. */
export const annotationToolRows = <N extends DrawingTool>(names: readonly N[]): ToolItems<N> =>
  names.map((name) => ({ name, icon: annotationKindOf(name).icon, keys: annotationKindOf(name).keys }));
