import type { Icon } from "@tabler/icons-react";
import { useTexts } from "../../../i18n/texts.ts";
import type { NameUnder } from "../../../i18n/texts.ts";
import type { Shortcuts } from "../input/shortcuts.ts";
import { ToolButton } from "./toolbar.tsx";

/** The tools of which one is selected; their labels are under `viewer.tool`. */
export type ToolName = NameUnder<"viewer.tool">;
export type ToolItems<N extends ToolName> = readonly { name: N; icon: Icon; keys: string }[];

export function ToolButtons<N extends ToolName>({
  rows,
  now,
  onTool,
}: {
  rows: ToolItems<N>;
  now: string;
  onTool: (name: N) => void;
}) {
  const t = useTexts("viewer");
  return rows.map(({ name, icon, keys }) => (
    <ToolButton
      key={name}
      label={t(`viewer.tool.${name}`)}
      icon={icon}
      keys={keys}
      isOn={now === name}
      onPress={() => onTool(name)}
    />
  ));
}

export const buildToolShortcuts = <N extends ToolName>(rows: ToolItems<N>, onTool: (name: N) => void): Shortcuts =>
  Object.fromEntries(rows.map(({ name, keys }) => [keys, () => onTool(name)]));
