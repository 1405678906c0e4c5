import { Button } from "@mantine/core";
import { lazy } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import type { ViewportProps } from "../layout/viewport-props.ts";
import styles from "./render-viewport.module.css";
import { useRendering } from "./rendering-context.tsx";

const RenderViewport = lazy(async () => ({ default: (await import("./render-viewport.tsx")).RenderViewport }));

/** The volume rendering; without a graphics processor, a button that asks for it and until then no code of it. */
export function RenderPane(props: ViewportProps) {
  const { viewportId, controls, isActive } = props;
  const t = useTexts("viewer");
  const { isRequested, request } = useRendering();
  if (isRequested) return <RenderViewport {...props} />;
  return (
    <div
      className={`${styles.pane} ${isActive ? (styles.active ?? "") : ""}`}
      role="group"
      aria-label={t("viewer.pane.render")}
      tabIndex={0}
      onFocus={() => controls.activate(viewportId)}
    >
      <div className={styles.asked} data-holds-press>
        <span>{t("viewer.render.askHelp")}</span>
        <Button size="xs" variant="light" onClick={request}>
          {t("viewer.render.ask")}
        </Button>
      </div>
    </div>
  );
}
