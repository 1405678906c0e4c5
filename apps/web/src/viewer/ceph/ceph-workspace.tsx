import { Select, Tabs } from "@mantine/core";
import { useState } from "react";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import type { Instance } from "@arcada/contract/study/study.schema";
import { cephAnalysisNames, type CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { nameAnalysis } from "@arcada/analysis/ceph/literature-labels";
import { useTexts } from "../../i18n/texts.ts";
import type { LoadedImage } from "../image/loading/load-image.ts";
import { CephViewport } from "./ceph-viewport.tsx";
import styles from "./ceph.module.css";
import { LandmarkGuidePanel } from "./landmark-guide-panel.tsx";
import { CalibrationPanel } from "./calibration-panel.tsx";
import { TracingStatus } from "./tracing-save-status.tsx";
import { estimateLandmarkPosition, useLandmarkGuide, type LandmarkGuide } from "./use-landmark-guide.ts";
import { usePointCalibration } from "./use-point-calibration.ts";
import { useRadiographReading, type RadiographReading } from "./use-radiograph-reading.ts";
import { useTracing, type Tracing } from "./use-tracing.ts";
import { MeasurementsPanel } from "./measurements-panel.tsx";
import { TracingVersionsPanel } from "./tracing-versions-panel.tsx";

interface Props {
  radiograph: { studyId: string; instanceId: string };
  instance: Instance;
  loaded: LoadedImage;
  record: CephOpened;
  isEarlier: boolean;
  onStale: () => void;
}

const panels = ["guide", "values", "scale", "versions"] as const;

/**
 * The radiograph with its tracing, and beside it the guide through the landmarks, the values, the scale and the
 * versions.
 */
export function CephWorkspace({ radiograph, instance, loaded, record, isEarlier, onStale }: Props) {
  const t = useTexts("ceph");
  const [empty] = useState(() => createEmptyTracing(instance, record.defaultPopulation));
  const tracing = useTracing(radiograph, record, empty, isEarlier);
  const [analysis, setAnalysis] = useState<CephAnalysis>("steiner");
  const guide = useLandmarkGuide(tracing.content, analysis);
  const pointCalibration = usePointCalibration(tracing);
  const [panel, setPanel] = useState<string | null>(record.tracing ? "values" : "guide");
  const { landmarks, calibration } = tracing.content;
  const isIncomplete = calibration === null || guide.landmarks.some(({ id }) => !landmarks[id]);
  const reading = useRadiographReading(instance, loaded.image, record, tracing.maySave && isIncomplete);
  const placeAtEstimate = () => placeActiveLandmark(instance, tracing, guide, reading);
  const shown = panels.filter((name) => record.maySave || name === "values");
  return (
    <div className={styles.room}>
      <CephViewport
        {...{
          radiograph,
          instance,
          loaded,
          record,
          tracing,
          guide,
          pointCalibration,
          analysis,
          placeAtEstimate,
          reading,
        }}
        onOpenScale={() => setPanel("scale")}
      />
      <aside className={styles.side} aria-label={t("ceph.panel.label")}>
        <TracingStatus tracing={tracing} isEarlier={isEarlier} mayRestoreVersion={record.maySave} onStale={onStale} />
        <AnalysisSelect analysis={analysis} onAnalysis={setAnalysis} />
        <Tabs
          value={shown.find((name) => name === panel) ?? "values"}
          onChange={setPanel}
          keepMounted={false}
          className={styles.tabs}
        >
          <Tabs.List grow aria-label={t("ceph.panel.label")}>
            {shown.map((name) => (
              <Tabs.Tab key={name} value={name} px="xs">
                {t(`ceph.panel.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="guide" className={styles.panel}>
            <LandmarkGuidePanel {...{ tracing, guide, analysis, reading }} onPlaceAtEstimate={placeAtEstimate} />
          </Tabs.Panel>
          <Tabs.Panel value="values" className={styles.panel}>
            <MeasurementsPanel {...{ tracing, record, analysis }} />
          </Tabs.Panel>
          <Tabs.Panel value="scale" className={styles.panel}>
            <CalibrationPanel
              {...{ tracing, pointCalibration }}
              scales={reading.ruler.scales}
              file={instance.picture}
            />
          </Tabs.Panel>
          <Tabs.Panel value="versions" className={styles.panel}>
            <TracingVersionsPanel radiograph={radiograph} version={tracing.version} />
          </Tabs.Panel>
        </Tabs>
      </aside>
    </div>
  );
}

/** The analysis whose landmarks are placed, whose values are shown and which is printed. */
function AnalysisSelect({
  analysis,
  onAnalysis,
}: {
  analysis: CephAnalysis;
  onAnalysis: (analysis: CephAnalysis) => void;
}) {
  const t = useTexts("ceph");
  return (
    <Select
      size="xs"
      className={styles.analysis}
      aria-label={t("ceph.analysis.label")}
      value={analysis}
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      onChange={(name) => name && onAnalysis(name as CephAnalysis)}
      data={cephAnalysisNames.map((name) => ({
        value: name,
        label: nameAnalysis(name, (one) => t(`ceph.analysis.${one}`)),
      }))}
    />
  );
}

/** Puts the active landmark at its suggested position, or at an estimate for users who work without a pointer. */
function placeActiveLandmark(
  { picture }: Instance,
  tracing: Tracing,
  guide: LandmarkGuide,
  reading: RadiographReading,
): void {
  const { active } = guide;
  if (!active || !tracing.maySave) return;
  const { columns, rows } = picture ?? { columns: 0, rows: 0 };
  const suggestion = reading.suggestions[active];
  const position = suggestion ?? estimateLandmarkPosition(tracing.content, active) ?? [columns / 2, rows / 2];
  tracing.place(active, [position[0], position[1]]);
  // A suggestion that was looked at is done; a rough estimate is moved into place next.
  if (suggestion) guide.handlePlaced(active);
  else guide.select(active);
}

/**
 * Returns an empty tracing. The pixel spacing that a device states for its own pixels applies from the beginning; the
 * dpi of a scanned image only when a user accepts it.
 */
function createEmptyTracing({ picture: image }: Instance, population: CephContent["population"]): CephContent {
  const spacing = image?.spacing ?? null;
  const isDeviceSpacing = spacing?.source === "pixelSpacing" || spacing?.source === "imager";
  return {
    landmarks: {},
    aspect: spacing ? spacing.row / spacing.column : 1,
    calibration: isDeviceSpacing ? { source: "file", width: spacing.column, magnification: 1, line: null } : null,
    population,
    remark: null,
  };
}
