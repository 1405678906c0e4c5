import { useTexts } from "../../i18n/texts.ts";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import styles from "./image-viewport.module.css";

interface Props {
  count: number;
  frame: number;
  onFrame: (frame: number) => void;
}

/** Steps through the frames of an image. */
export function FrameSlider({ count, frame, onFrame }: Props) {
  const t = useTexts("viewer");
  const positionText = t("viewer.sliceText", { slice: frame + 1, count });
  useShortcuts({
    PageUp: () => onFrame(Math.max(0, frame - 1)),
    PageDown: () => onFrame(Math.min(count - 1, frame + 1)),
  });
  return (
    <label className={styles.frames}>
      <span className={styles.frame}>{positionText}</span>
      <input
        data-holds-press
        type="range"
        min={0}
        max={count - 1}
        value={frame}
        aria-label={t("viewer.frame")}
        aria-valuetext={positionText}
        onChange={(event) => onFrame(Number(event.currentTarget.value))}
      />
    </label>
  );
}
