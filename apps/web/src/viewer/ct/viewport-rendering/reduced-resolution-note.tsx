import { useSyncExternalStore } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { getViewportDefinition, type ViewportId } from "../../ct-core/viewport-layouts.ts";
import type { ViewportRegistry } from "./viewport-registry.ts";
import styles from "./reduced-resolution-note.module.css";

/** Notes that a viewport is drawn coarser than its screen area. */
export function ReducedResolutionNote({
  viewports,
  viewportId,
}: {
  viewports: ViewportRegistry;
  viewportId: ViewportId;
}) {
  const t = useTexts("viewer");
  const coarseness = useSyncExternalStore(viewports.onCoarsenessChange, () => viewports.getCoarseness(viewportId));
  const isOver = getViewportDefinition(viewportId).kind === "render";
  return (
    coarseness && <span className={`${styles.note} ${isOver ? styles.over : ""}`}>{t(`viewer.${coarseness}`)}</span>
  );
}
