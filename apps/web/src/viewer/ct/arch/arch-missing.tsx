import { Button } from "@mantine/core";
import { useTexts } from "../../../kernel/texts.ts";
import { Loading } from "../../frame/states.tsx";
import type { ViewportProps } from "../layout/pane-props.ts";
import styles from "./plan-layer.module.css";

/** Placeholder of a panorama while there is no arch. */
export function ArchMissing({ arch, controls }: Pick<ViewportProps, "arch" | "controls">) {
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
