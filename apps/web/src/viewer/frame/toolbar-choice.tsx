import type { Icon } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import type { Keys } from "./shortcuts.ts";
import { Tool } from "./toolbar.tsx";

/** The tools of which one is selected; their labels are under `viewer.tool`. */
export type ToolRow<N extends string> = readonly { name: N; icon: Icon; keys: string }[];

export function ToolChoice<N extends string>({
  rows,
  now,
  onTool,
}: {
  rows: ToolRow<N>;
  now: N;
  onTool: (name: N) => void;
}) {
  const t = useTexts("viewer");
  return rows.map(({ name, icon, keys }) => (
    <Tool
      key={name}
      label={t(`viewer.tool.${name}`)}
      icon={icon}
      keys={keys}
      isOn={now === name}
      onPress={() => onTool(name)}
    />
  ));
}

export const toolKeys = <N extends string>(rows: ToolRow<N>, onTool: (name: N) => void): Keys =>
  Object.fromEntries(rows.map(({ name, keys }) => [keys, () => onTool(name)]));
