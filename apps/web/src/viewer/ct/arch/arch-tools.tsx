import { IconRulerMeasure } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { useShortcuts } from "../../ui/input/shortcuts.ts";
import { ToolbarGap } from "../../ui/toolbar/toolbar.tsx";
import { ToolButtons, buildToolShortcuts } from "../../ui/toolbar/tool-buttons.tsx";
import { ToolPanel } from "../../ui/toolbar/tool-panel.tsx";
import { annotationToolRows } from "../../annotations/annotation-tools.tsx";
import type { CtViewerState } from "../layout/viewport-props.ts";
import { planTools } from "./implant-plan/implant-plan.ts";
import styles from "./implant-plan/plan-panel.module.css";

const ArchAndPlan = lazy(async () => ({ default: (await import("./arch-and-plan-panel.tsx")).ArchAndPlan }));
const PlanPanel = lazy(async () => ({ default: (await import("./implant-plan/plan-panel.tsx")).PlanPanel }));

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
 * The same panel beside the planes if a panorama or cross-sections are shown; otherwise only the planned objects, as
 * soon as there are some.
 */
export function ArchDetails(parts: CtViewerState) {
  const { isShown, canals, implants } = parts.arch;
  if (!isShown && canals.length + implants.length === 0) return null;
  return <Suspense>{isShown ? <ArchAndPlan {...parts} /> : <PlanPanel {...parts} />}</Suspense>;
}
