import { useSyncExternalStore } from "react";
import { useTexts } from "../../kernel/texts.ts";
import type { PlaceName } from "./layout/layouts.ts";
import type { Panes } from "./panes.ts";
import styles from "./rough-note.module.css";

/** Says that a pane is not yet drawn as finely as it will be. */
export function RoughNote({ panes, place }: { panes: Panes; place: PlaceName }) {
  const t = useTexts("viewer");
  const isRough = useSyncExternalStore(panes.onRough, () => panes.isRough(place));
  return isRough && <span className={styles.note}>{t("viewer.rough")}</span>;
}
