import { IconRulerMeasure } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useTexts } from "../../../kernel/texts.ts";
import { useShortcuts } from "../../frame/shortcuts.ts";
import { ToolGap } from "../../frame/toolbar.tsx";
import { ToolChoice, toolKeys } from "../../frame/toolbar-choice.tsx";
import { ToolPanel } from "../../frame/tool-panel.tsx";
import { markRows } from "../../marks/mark-tools.tsx";
import type { CtParts } from "../layout/pane-props.ts";
import { planTools } from "./plan.ts";
import styles from "./plan-panel.module.css";

const ArchSection = lazy(async () => ({ default: (await import("./arch-section.tsx")).ArchSection }));
const PlanPanel = lazy(async () => ({ default: (await import("./plan-panel.tsx")).PlanPanel }));

const tools = markRows(planTools);

/** The tools for arch, canal and implant, with all their settings. */
export function ArchTools(parts: CtParts) {
  const t = useTexts("viewer");
  const { controls } = parts;
  useShortcuts(toolKeys(tools, controls.setTool));
  return (
    <>
      <ToolGap />
      <ToolChoice rows={tools} now={controls.tool} onTool={controls.setTool} />
      <ToolPanel label={t("viewer.arch.panel")} icon={IconRulerMeasure}>
        <div className={styles.panel}>
          <ArchSection {...parts} />
        </div>
      </ToolPanel>
    </>
  );
}

/**
 * The same panel beside the planes if a panorama or cross-sections are shown; the planned objects alone as soon as
 * there are some.
 */
export function ArchBeside(parts: CtParts) {
  const { isShown, canals, implants } = parts.arch;
  if (!isShown && canals.length + implants.length === 0) return null;
  return <Suspense>{isShown ? <ArchSection {...parts} /> : <PlanPanel {...parts} />}</Suspense>;
}
