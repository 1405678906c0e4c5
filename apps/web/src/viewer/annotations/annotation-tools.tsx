import { IconArrowBackUp, IconArrowForwardUp, IconTrash, IconPalette } from "@tabler/icons-react";
import { ColorSwatch, Group, UnstyledButton } from "@mantine/core";
import { annotationColours } from "@arcada/contract/study/annotation";
import { useTexts } from "../../i18n/texts.ts";
import type { Shortcuts } from "../ui/input/shortcuts.ts";
import { ToolButton } from "../ui/toolbar/toolbar.tsx";
import type { ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { AnnotationVersionsTool } from "./store/annotation-versions-tool.tsx";
import type { Drawing } from "./drawing/use-drawing.ts";
import type { AnnotationStore } from "./store/use-annotations.ts";
import { annotationKindOf, type DrawingTool } from "./annotation-kind-registry.ts";
import { ToolPanel } from "../ui/toolbar/tool-panel.tsx";
import { useAnnotationColour } from "./annotation-colour.ts";
import styles from "./annotation-colour-picker.module.css";

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

/** The colour of the selected annotation and of those that follow. */
function AnnotationColourPicker({ annotations, chosen }: { annotations: AnnotationStore; chosen: string | null }) {
  const t = useTexts("viewer");
  const [current, setColour] = useAnnotationColour(annotations, chosen);
  return (
    <ToolPanel label={t("viewer.marks.colour")} icon={IconPalette} isOn={current !== annotationColours[0]}>
      <Group gap={4} role="group" aria-label={t("viewer.marks.colour")}>
        {annotationColours.map((colour) => (
          <UnstyledButton
            key={colour}
            className={styles.choice ?? ""}
            aria-label={t(`viewer.marks.colours.${colour}`)}
            aria-pressed={colour === current}
            onClick={() => setColour(colour)}
          >
            <ColorSwatch component="span" size={22} color={`var(--mark-${colour})`} aria-hidden />
          </UnstyledButton>
        ))}
      </Group>
    </ToolPanel>
  );
}

export const annotationShortcuts = (annotations: AnnotationStore, drawing: DrawingSelection): Shortcuts => ({
  "Ctrl+Z": annotations.undo,
  "Ctrl+Shift+Z": annotations.redo,
  "Ctrl+Y": annotations.redo,
  Delete: drawing.removeChosen,
  Backspace: drawing.removeChosen,
  Escape: () => drawing.discardDraft() || (drawing.chosen !== null && drawing.choose(null)),
});

/** Annotation tools for a viewer's toolbar. */
export const annotationToolRows = <N extends DrawingTool>(names: readonly N[]): ToolItems<N> =>
  names.map((name) => ({ name, icon: annotationKindOf(name).icon, keys: annotationKindOf(name).keys }));
