import { IconFileExport, IconPalette, IconView360 } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { ToolButton, ToolMenu } from "../../ui/toolbar/toolbar.tsx";
import type { ViewportProps } from "../layout/viewport-props.ts";
import { ClipPanel } from "./clip-panel.tsx";
import { renderPresets } from "./render-presets.ts";
import styles from "./render-viewport.module.css";
import { useRendering } from "./rendering-context.tsx";
import { ScanChoice } from "./scan/scan-choice.tsx";
import { renderViews } from "./camera-presets.ts";

const ExportSurfaceDialog = lazy(async () => ({
  default: (await import("./surface/export-surface-dialog.tsx")).ExportSurfaceDialog,
}));

/** The tools of the volume rendering, in its own viewport. */
export function RenderToolbar({ store, patientId }: ViewportProps) {
  const t = useTexts("viewer");
  const rendering = useRendering();
  const { choice, choose } = rendering;
  // A closed dialog stays, because the surface that it has made stays with it.
  const [dialog, setDialog] = useState<"unused" | "open" | "closed">("unused");
  return (
    <div className={styles.bar} role="toolbar" aria-label={t("viewer.render.tools")} data-holds-press>
      <ToolMenu
        label={t("viewer.render.preset.title")}
        icon={IconPalette}
        items={renderPresets.map((preset) => ({
          key: preset,
          label: t(`viewer.render.preset.${preset}`),
          isOn: choice.preset === preset,
          onPress: () => choose({ preset, threshold: null, opacity: 1 }),
        }))}
      />
      <ToolMenu
        label={t("viewer.render.view.title")}
        icon={IconView360}
        items={renderViews.map((view, at) => ({
          key: view,
          label: t(`viewer.render.view.${view}`),
          keys: String(at + 1),
          isOn: rendering.view === view,
          onPress: () => rendering.showView(view),
        }))}
      />
      <ClipPanel rendering={rendering} store={store} />
      {patientId && <ScanChoice patientId={patientId} />}
      <ToolButton label={t("viewer.render.export.title")} icon={IconFileExport} onPress={() => setDialog("open")} />
      <Suspense>
        {dialog !== "unused" && (
          <ExportSurfaceDialog
            isOpen={dialog === "open"}
            onClose={() => setDialog("closed")}
            store={store}
            rendering={rendering}
          />
        )}
      </Suspense>
    </div>
  );
}
