import type { Shortcuts } from "../ui/input/shortcuts.ts";
import type { Drawing } from "./drawing/use-drawing.ts";
import type { AnnotationStore } from "./store/use-annotations.ts";

export type DrawingSelection = Pick<Drawing<never>, "chosen" | "choose" | "discardDraft" | "removeChosen">;

/** Undo, redo, delete and Escape, alike in every viewer. */
export const annotationShortcuts = (annotations: AnnotationStore, drawing: DrawingSelection): Shortcuts => ({
  "Ctrl+Z": annotations.undo,
  "Ctrl+Shift+Z": annotations.redo,
  "Ctrl+Y": annotations.redo,
  Delete: drawing.removeChosen,
  Backspace: drawing.removeChosen,
  Escape: () => drawing.discardDraft() || (drawing.chosen !== null && drawing.choose(null)),
});
