import { IconArrowBackUp, IconArrowForwardUp, IconTrash } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import type { Keys } from "../frame/shortcuts.ts";
import { Tool } from "../frame/toolbar.tsx";
import type { ToolRow } from "../frame/toolbar-choice.tsx";
import { kindOf, type DrawnTool } from "./kind.ts";
import { MarkColours } from "./mark-colours.tsx";
import { MarkVersions } from "./mark-versions.tsx";
import type { Drawing } from "./use-drawing.ts";
import type { Marks } from "./use-marks.ts";

type Chosen = Pick<Drawing<never>, "chosen" | "choose" | "drop" | "removeChosen">;

/** Undo, redo and delete, alike in every viewer. */
export function MarkTools({ marks, drawing }: { marks: Marks; drawing: Chosen }) {
  const t = useTexts("viewer");
  return (
    <>
      <Tool
        label={t("viewer.undo")}
        icon={IconArrowBackUp}
        keys="Ctrl+Z"
        disabled={!marks.canUndo}
        onPress={marks.undo}
      />
      <Tool
        label={t("viewer.redo")}
        icon={IconArrowForwardUp}
        keys="Ctrl+Shift+Z"
        disabled={!marks.canRedo}
        onPress={marks.redo}
      />
      <Tool
        label={t("viewer.removeMark")}
        icon={IconTrash}
        keys="Delete"
        disabled={!drawing.chosen}
        onPress={drawing.removeChosen}
      />
      <MarkColours marks={marks} chosen={drawing.chosen} />
      <MarkVersions marks={marks} />
    </>
  );
}

export const markKeys = (marks: Marks, drawing: Chosen): Keys => ({
  "Ctrl+Z": marks.undo,
  "Ctrl+Shift+Z": marks.redo,
  "Ctrl+Y": marks.redo,
  Delete: drawing.removeChosen,
  Backspace: drawing.removeChosen,
  Escape: () => drawing.drop() || drawing.choose(null),
});

/** Annotation tools for a viewer's toolbar. */
export const markRows = <N extends DrawnTool>(names: readonly N[]): ToolRow<N> =>
  names.map((name) => ({ name, icon: kindOf(name).icon, keys: kindOf(name).keys }));
