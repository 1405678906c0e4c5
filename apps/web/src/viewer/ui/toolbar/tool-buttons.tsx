import type { Icon } from "@tabler/icons-react";
import type { NameUnder, Translate } from "../../../i18n/texts.ts";
import type { Shortcuts } from "../input/shortcuts.ts";
import type { PressTool } from "../modes/viewer-tool.ts";

/** The tools of which one is selected; their labels are under `viewer.tool`, how they are used under `viewer.about`. */
export type ToolName = NameUnder<"viewer.about">;
export type ToolItems<N extends ToolName> = readonly { name: N; icon: Icon; keys: string }[];

/** The tools of a bar of which one is selected. */
export const buildPointerTools = <N extends ToolName>(
  t: Translate,
  rows: ToolItems<N>,
  now: string,
  onTool: (name: N) => void,
): PressTool[] =>
  rows.map(({ name, icon, keys }) => ({
    id: name,
    label: t(`viewer.tool.${name}`),
    about: t(`viewer.about.${name}`),
    icon,
    keys,
    isOn: now === name,
    onPress: () => onTool(name),
  }));

export const buildToolShortcuts = <N extends ToolName>(rows: ToolItems<N>, onTool: (name: N) => void): Shortcuts =>
  Object.fromEntries(rows.map(({ name, keys }) => [keys, () => onTool(name)]));
