import { IconArrowBackUp, IconArrowForwardUp, IconTrash } from "@tabler/icons-react";
import { useTexts } from "../../i18n/texts.ts";
import type { Shortcuts } from "../ui/input/shortcuts.ts";
import { ToolButton } from "../ui/toolbar/toolbar.tsx";
import type { ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { annotationKindOf, type DrawingTool } from "./annotation-kinds.ts";
import { AnnotationColourPicker } from "./annotation-colour-picker.tsx";
import { AnnotationVersionsTool } from "./store/annotation-versions-tool.tsx";
import type { Drawing } from "./drawing/use-drawing.ts";
import type { AnnotationStore } from "./store/use-annotations.ts";

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
