import { IconCompass } from "@tabler/icons-react";
import { useTexts } from "../../../kernel/texts.ts";
import { ToolMenu } from "../../frame/toolbar.tsx";
import type { SceneOrientation } from "./use-orientation.ts";

/** Corrects how the patient lies in the scene; the notice of an unknown orientation does the same. */
export function OrientationMenu({ orientation }: { orientation: SceneOrientation }) {
  const t = useTexts("viewer");
  const row = (key: string, onPress: () => void) => ({ key, label: t(`viewer.model.orientation.${key}`), onPress });
  return (
    <ToolMenu
      label={t("viewer.model.orientation.menu")}
      icon={IconCompass}
      items={[
        row("upsideDown", orientation.turnUpsideDown),
        row("frontToBack", orientation.turnFrontToBack),
        ...(orientation.isSaid ? [row("auto", orientation.reset)] : []),
      ]}
    />
  );
}
