import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { NameUnder } from "../../../i18n/texts.ts";
import type { ToolMenuItem } from "../toolbar/toolbar.tsx";

interface ToolFacts {
  /** Unique among the tools of a viewer. */
  id: string;
  label: string;
  icon: Icon;
  /** Tells in one sentence how the tool is used. */
  about?: string | undefined;
  /** The shortcut, as `useShortcuts` names it. */
  keys?: string;
  /** A tool or switch indicates its state; a button that acts has none. */
  isOn?: boolean;
  disabled?: boolean;
}
export interface PressTool extends ToolFacts {
  onPress: () => void;
}
interface ChoiceTool extends ToolFacts {
  items: readonly ToolMenuItem[];
}
interface PanelTool extends ToolFacts {
  /** A small form, which may be loaded when it is opened. */
  panel: ReactNode;
}
/** One tool of a viewer: a labelled button in the bar of its mode, and a row in the menu of all tools. */
export type ViewerTool = PressTool | ChoiceTool | PanelTool;

/** The tasks for which an image is opened; each has the tools for it. */
export type ViewerMode = NameUnder<"viewer.mode">;

export interface ModeTools {
  name: ViewerMode;
  /** The tools of its bar, at most eight. */
  bar: readonly ViewerTool[];
  /** Tools that only the menu of all tools offers. */
  more?: readonly ViewerTool[];
  /** A mode on another page: it is opened instead of a bar. */
  open?: () => void;
}
