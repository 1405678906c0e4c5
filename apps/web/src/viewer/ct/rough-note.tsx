import { useSyncExternalStore } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { placeOf, type PlaceName } from "./layout/layouts.ts";
import type { Panes } from "./panes.ts";
import styles from "./rough-note.module.css";

/** Notes that a viewport is drawn coarser than its screen area. */
export function RoughNote({ panes, place }: { panes: Panes; place: PlaceName }) {
  const t = useTexts("viewer");
  const how = useSyncExternalStore(panes.onRough, () => panes.coarsenessOf(place));
  const isOver = placeOf(place).pane === "render";
  return how && <span className={`${styles.note} ${isOver ? styles.over : ""}`}>{t(`viewer.${how}`)}</span>;
}
