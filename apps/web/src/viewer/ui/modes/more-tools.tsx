import { Popover } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { lazy, useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { ToolFace } from "../toolbar/toolbar.tsx";
import { ToolPanelContent } from "../toolbar/tool-panel.tsx";
import type { ModeTools, ViewerMode, ViewerTool } from "./viewer-tool.ts";

const ToolSearch = lazy(async () => ({ default: (await import("./tool-search.tsx")).ToolSearch }));

interface Props {
  icon: Icon;
  modes: readonly ModeTools[];
  mode: ViewerMode;
  common: readonly ViewerTool[];
}

/** Opens a list of all tools of the viewer, with a search. The form of a tool takes the place of the list. */
export function MoreTools({ icon, modes, mode, common }: Props) {
  const t = useTexts("viewer");
  const [isOpen, setOpen] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const change = (next: boolean) => {
    setOpen(next);
    setOpened(null);
  };
  const all = [...modes.flatMap(({ bar, more = [] }) => [...bar, ...more]), ...common];
  const tool = all.find(({ id }) => id === opened);
  return (
    <Popover
      opened={isOpen}
      onChange={change}
      position="bottom-end"
      shadow="md"
      withinPortal={false}
      keepMounted={false}
      transitionProps={{ duration: 0 }}
      floatingStrategy="fixed"
      returnFocus
      // The dialog is named after what it shows, and not after the button.
      withRoles={false}
    >
      <Popover.Target>
        <ToolFace
          label={t("viewer.more.title")}
          icon={icon}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => change(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={tool?.label ?? t("viewer.more.title")} p={tool ? undefined : 0}>
        {tool && "panel" in tool ? (
          <ToolPanelContent>{tool.panel}</ToolPanelContent>
        ) : (
          <ToolPanelContent>
            <ToolSearch
              modes={modes}
              mode={mode}
              common={common}
              onOpenPanel={setOpened}
              onDone={() => change(false)}
            />
          </ToolPanelContent>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
