import { IconRulerMeasure } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useTexts } from "../../../kernel/texts.ts";
import { useShortcuts } from "../../frame/shortcuts.ts";
import { ToolbarGap } from "../../frame/toolbar.tsx";
import { ToolButtons, buildToolShortcuts } from "../../frame/toolbar-choice.tsx";
import { ToolPanel } from "../../frame/tool-panel.tsx";
import { annotationToolRows } from "../../marks/mark-tools.tsx";
import type { CtViewerState } from "../layout/pane-props.ts";
import { planTools } from "./plan.ts";
import styles from "./plan-panel.module.css";

const ArchAndPlan = lazy(async () => ({ default: (await import("./arch-section.tsx")).ArchAndPlan }));
const PlanPanel = lazy(async () => ({ default: (await import("./plan-panel.tsx")).PlanPanel }));

const tools = annotationToolRows(planTools);

/** The tools for arch, canal and implant, with all their settings. */
export function ArchTools(parts: CtViewerState) {
  const t = useTexts("viewer");
  const { controls } = parts;
  useShortcuts(buildToolShortcuts(tools, controls.setTool));
  return (
    <>
      <ToolbarGap />
      <ToolButtons rows={tools} now={controls.tool} onTool={controls.setTool} />
      <ToolPanel label={t("viewer.arch.panel")} icon={IconRulerMeasure}>
        <div className={styles.panel}>
          <ArchAndPlan {...parts} />
        </div>
      </ToolPanel>
    </>
  );
}

/**
 * The same panel beside the planes if a panorama or cross-sections are shown; the planned objects alone as soon as
 * there are some.
 */
export function ArchDetails(parts: CtViewerState) {
  const { isShown, canals, implants } = parts.arch;
  if (!isShown && canals.length + implants.length === 0) return null;
  return <Suspense>{isShown ? <ArchAndPlan {...parts} /> : <PlanPanel {...parts} />}</Suspense>;
}
