import { IconCompass } from "@tabler/icons-react";
import { useTexts } from "../../../i18n/texts.ts";
import { ToolMenu } from "../../ui/toolbar/toolbar.tsx";
import styles from "./orientation.module.css";
import type { SceneOrientation } from "./use-orientation.ts";

/**
 * Corrects the patient's orientation in the scene, below the cube; if the orientation is unknown, the notice does the
 * same.
 */
export function OrientationMenu({ orientation }: { orientation: SceneOrientation }) {
  const t = useTexts("viewer");
  if (!orientation.isKnown) return null;
  const row = (key: "upsideDown" | "frontToBack" | "auto", onPress: () => void) => ({
    key,
    label: t(`viewer.model.orientation.${key}`),
    onPress,
  });
  return (
    <div className={styles.menu} data-holds-press>
      <ToolMenu
        label={t("viewer.model.orientation.menu")}
        icon={IconCompass}
        items={[
          row("upsideDown", orientation.turnUpsideDown),
          row("frontToBack", orientation.turnFrontToBack),
          ...(orientation.isUserSet ? [row("auto", orientation.reset)] : []),
        ]}
      />
    </div>
  );
}
