import { IconPanorama } from "../../ui/modes/dental-icons.ts";
import { Suspense } from "react";
import type { Translate } from "../../../i18n/texts.ts";
import { annotationToolRows } from "../../annotations/annotation-tool-rows.ts";
import type { ViewerTool } from "../../ui/modes/viewer-tool.ts";
import { lazyForm } from "../../ui/toolbar/lazy-form.tsx";
import type { CtViewerState } from "../layout/viewport-props.ts";
import { planTools } from "./implant-plan/implant-plan.ts";
import styles from "./implant-plan/plan-panel.module.css";

const ArchAndPlan = lazyForm(async () => (await import("./arch-and-plan-panel.tsx")).ArchAndPlan);
const PlanPanel = lazyForm(async () => (await import("./implant-plan/plan-panel.tsx")).PlanPanel);

/** The pointer tools for arch, canal, implant and root. */
export const archToolRows = annotationToolRows(planTools);

/** The form with all settings of arch, panorama, cross-sections and plan. */
export const buildArchPanelTool = (t: Translate, parts: CtViewerState): ViewerTool => ({
  id: "archPanel",
  label: t("viewer.arch.panel"),
  icon: IconPanorama,
  panel: (
    <div className={styles.panel}>
      <ArchAndPlan {...parts} />
    </div>
  ),
});

/**
 * The same form beside the planes if a panorama or cross-sections are shown; otherwise only the planned objects, as
 * soon as there are some.
 */
export function ArchDetails(parts: CtViewerState) {
  const { isShown, canals, implants } = parts.arch;
  if (!isShown && canals.length + implants.length === 0) return null;
  return <Suspense>{isShown ? <ArchAndPlan {...parts} /> : <PlanPanel {...parts} />}</Suspense>;
}
