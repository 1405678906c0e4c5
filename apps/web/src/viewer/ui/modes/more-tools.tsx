import type { Icon } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { useLazyDropdown } from "../../../ui/overlays/use-lazy-dropdown.ts";
import { ToolFace } from "../toolbar/toolbar.tsx";
import { loadToolPopover, ToolPopover } from "../toolbar/tool-panel.tsx";
import type { ModeTools, ViewerMode, ViewerTool } from "./viewer-tool.ts";

const loadSearch = () => import("./tool-search.tsx");
const ToolSearch = lazy(async () => ({ default: (await loadSearch()).ToolSearch }));
const loadCode = () => Promise.all([loadToolPopover(), loadSearch()]);

interface Props {
  icon: Icon;
  modes: readonly ModeTools[];
  mode: ViewerMode;
  common: readonly ViewerTool[];
}

/** Opens a list of all tools of the viewer, with a search. The form of a tool takes the place of the list. */
export function MoreTools({ icon, modes, mode, common }: Props) {
  const t = useTexts("viewer");
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(loadCode, "dialog");
  const [opened, setOpened] = useState<string | null>(null);
  const change = (next: boolean) => {
    dropdown.onChange(next);
    setOpened(null);
  };
  const all = [...modes.flatMap(({ bar, more = [] }) => [...bar, ...more]), ...common];
  const tool = all.find(({ id }) => id === opened);
  return (
    <>
      <ToolFace label={t("viewer.more.title")} icon={icon} {...button} onClick={() => change(!dropdown.opened)} />
      {isUsed && (
        <Suspense>
          <ToolPopover
            {...dropdown}
            onChange={change}
            position="bottom-end"
            label={tool?.label ?? t("viewer.more.title")}
            hasOwnName
            isWithoutPadding={!tool}
          >
            {tool && "panel" in tool ? (
              tool.panel
            ) : (
              <ToolSearch
                modes={modes}
                mode={mode}
                common={common}
                onOpenPanel={setOpened}
                onDone={() => change(false)}
              />
            )}
          </ToolPopover>
        </Suspense>
      )}
    </>
  );
}
