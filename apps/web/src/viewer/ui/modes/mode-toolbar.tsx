import { UnstyledButton } from "@mantine/core";
import { IconChevronDown, type Icon } from "@tabler/icons-react";
import { IconDots, IconDownload, IconEye, IconRuler2 } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { pageShortcuts, type PageShortcut } from "../../../ui/page-shortcuts.ts";
import { useTexts } from "../../../i18n/texts.ts";
import toolbar from "../toolbar/toolbar.module.css";
import { useClientSize } from "../viewport/use-client-size.ts";
import { moveFocusInToolbar } from "../toolbar/move-focus.ts";
import { ToolbarGap, ToolButton, ToolMenu, useToolMenu } from "../toolbar/toolbar.tsx";
import { ToolPanel } from "../toolbar/tool-panel.tsx";
import { IconCephalogram, IconImplant } from "./dental-icons.ts";
import { listShortcuts } from "./list-shortcuts.ts";
import { MoreTools } from "./more-tools.tsx";
import styles from "./mode-toolbar.module.css";
import type { ModeTools, ViewerMode, ViewerTool } from "./viewer-tool.ts";

interface Props {
  /** The modes that fit the image, in their order. */
  modes: readonly ModeTools[];
  mode: ViewerMode;
  onMode: (mode: ViewerMode) => void;
  /** Tools that every mode shows at the end of its bar. */
  common: readonly ViewerTool[];
}

/** CSS pixels from which the modes and eight tools stand side by side. A viewer may be a part of a wide page. */
const fullWidth = 1136;

/**
 * The toolbar of a viewer: its modes, the tools of the selected mode, and a menu that finds every tool. A viewer with a
 * single mode shows no choice of modes.
 */
export function ModeToolbar({ modes, mode, onMode, common }: Props) {
  const t = useTexts("viewer");
  const bar = modes.find(({ name }) => name === mode)?.bar ?? [];
  const choose = ({ name, open }: ModeTools) => (open ? open() : onMode(name));
  const element = useRef<HTMLDivElement>(null);
  const size = useClientSize(element);
  usePublishedShortcuts(modes, common);
  const Modes = size && size.width < fullWidth ? ModeMenu : ModeButtons;
  return (
    <div
      ref={element}
      className={toolbar.toolbar}
      role="toolbar"
      aria-label={t("viewer.tools")}
      tabIndex={-1}
      onKeyDown={moveFocusInToolbar}
    >
      {modes.length > 1 && (
        <div className={toolbar.fixed}>
          <Modes modes={modes} mode={mode} onChoose={choose} />
        </div>
      )}
      <div className={toolbar.row} tabIndex={-1}>
        {modes.length > 1 && <ToolbarGap />}
        <div className={styles.bar} role="group" aria-label={t(`viewer.mode.${mode}`)}>
          {bar.map((tool) => (
            <ToolItem key={tool.id} tool={tool} />
          ))}
        </div>
        {common.map((tool) => (
          <ToolItem key={tool.id} tool={tool} />
        ))}
      </div>
      <div className={toolbar.fixed}>
        <MoreTools icon={IconDots} modes={modes} mode={mode} common={common} />
      </div>
    </div>
  );
}

/** The same bar for a viewer whose tools all belong to one task. */
export const SingleModeToolbar = ({ bar, more = [] }: Omit<ModeTools, "name">) => (
  <ModeToolbar modes={[{ name: "read", bar, more }]} mode="read" onMode={() => {}} common={[]} />
);

/** Tells the help about the keyboard which keys the viewer has. */
function usePublishedShortcuts(modes: readonly ModeTools[], common: readonly ViewerTool[]): void {
  const rows = listShortcuts(modes, common);
  // The tools are objects of each rendering.
  const text = JSON.stringify(rows);
  useEffect(() => {
    pageShortcuts.set(JSON.parse(text) as PageShortcut[]);
    return () => pageShortcuts.set([]);
  }, [text]);
}

const modeIcons: Record<ViewerMode, Icon> = {
  read: IconEye,
  measure: IconRuler2,
  implant: IconImplant,
  ceph: IconCephalogram,
  export: IconDownload,
};

interface ModeChoiceProps {
  modes: readonly ModeTools[];
  mode: ViewerMode;
  onChoose: (mode: ModeTools) => void;
}

function ModeButtons({ modes, mode, onChoose }: ModeChoiceProps) {
  const t = useTexts("viewer");
  return (
    <div className={styles.modes} role="group" aria-label={t("viewer.modes")}>
      {modes.map((each) => {
        const Sign = modeIcons[each.name];
        return (
          <UnstyledButton
            key={each.name}
            className={styles.mode ?? ""}
            aria-pressed={each.name === mode}
            onClick={() => onChoose(each)}
          >
            <Sign size={18} stroke={1.6} aria-hidden />
            {t(`viewer.mode.${each.name}`)}
          </UnstyledButton>
        );
      })}
    </div>
  );
}

/** The same choice where there is no room for all modes side by side. */
function ModeMenu({ modes, mode, onChoose }: ModeChoiceProps) {
  const t = useTexts("viewer");
  const Current = modeIcons[mode];
  const items = modes.map((each) => {
    const Sign = modeIcons[each.name];
    return {
      key: each.name,
      label: t(`viewer.mode.${each.name}`),
      sign: <Sign size={18} stroke={1.6} aria-hidden />,
      isOn: each.name === mode,
      onPress: () => onChoose(each),
    };
  });
  const { button, menu } = useToolMenu(items);
  return (
    <>
      <UnstyledButton
        className={`${styles.mode} ${styles.menu}`}
        aria-label={t("viewer.modeNow", { mode: t(`viewer.mode.${mode}`) })}
        {...button}
      >
        <Current size={18} stroke={1.6} aria-hidden />
        {t(`viewer.mode.${mode}`)}
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
      {menu}
    </>
  );
}

/** A tool as a button of the bar: it acts, opens its choices, or opens its form. */
function ToolItem({ tool }: { tool: ViewerTool }) {
  const { label, icon } = tool;
  if ("items" in tool) return <ToolMenu label={label} icon={icon} items={tool.items} />;
  if ("panel" in tool)
    return (
      <ToolPanel label={label} icon={icon} isOn={tool.isOn ?? false}>
        {tool.panel}
      </ToolPanel>
    );
  const { id: _, ...props } = tool;
  return <ToolButton {...props} />;
}
