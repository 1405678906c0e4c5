import { Button } from "@mantine/core";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./orientation.module.css";
import type { SceneOrientation } from "./use-orientation.ts";

/** Notes that the patient's sides are unknown, and lets the user set them. */
export function OrientationNotice({ orientation }: { orientation: SceneOrientation }) {
  const t = useTexts("viewer");
  if (orientation.isKnown || !orientation.isSettled) return null;
  const acts = [
    ...(orientation.needsJaw
      ? (["upper", "lower"] as const).map((jaw) => ({
          label: t(`viewer.model.orientation.isJaw.${jaw}`),
          act: () => orientation.setJaw(jaw),
        }))
      : []),
    { label: t("viewer.model.orientation.upsideDown"), act: orientation.turnUpsideDown },
    { label: t("viewer.model.orientation.frontToBack"), act: orientation.turnFrontToBack },
    { label: t("viewer.model.orientation.right"), act: orientation.confirm },
  ];
  return (
    <div className={styles.notice} role="status" data-holds-press>
      <span>{t("viewer.model.orientation.unknown")}</span>
      <span className={styles.acts}>
        {acts.map(({ label, act }) => (
          <Button key={label} size="compact-xs" variant="default" onClick={act}>
            {label}
          </Button>
        ))}
      </span>
    </div>
  );
}
