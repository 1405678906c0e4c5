import { Button } from "@mantine/core";
import { useTexts } from "../../../i18n/texts.ts";
import { Loading } from "../../ui/page/status-messages.tsx";
import type { ViewportProps } from "../layout/viewport-props.ts";
import styles from "./arch-overlays.module.css";

/** Placeholder of a panorama while there is no arch. */
export function ArchPlaceholder({ arch, controls }: Pick<ViewportProps, "arch" | "controls">) {
  const t = useTexts("viewer");
  if (arch.state === "looking") return <Loading label={t("viewer.arch.looking")} />;
  return (
    <div className={styles.missing}>
      <p>{t("viewer.arch.none")}</p>
      <Button
        size="compact-sm"
        variant="light"
        data-holds-press
        onClick={() => {
          controls.setTool("arch");
          controls.activate("axial");
        }}
      >
        {t("viewer.arch.draw")}
      </Button>
    </div>
  );
}
