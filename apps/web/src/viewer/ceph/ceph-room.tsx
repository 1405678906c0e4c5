import { Tabs } from "@mantine/core";
import { useState } from "react";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { CephContent } from "@arcada/contract/ceph/ceph.shape";
import type { Instance } from "@arcada/contract/study/study.calls";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { useTexts } from "../../kernel/texts.ts";
import type { LoadedPicture } from "../picture/load-picture.ts";
import { CephStage } from "./ceph-stage.tsx";
import styles from "./ceph.module.css";
import { GuidePanel } from "./guide-panel.tsx";
import { ScalePanel } from "./scale-panel.tsx";
import { TracingState } from "./tracing-state.tsx";
import { likelyPlace, useGuide } from "./use-guide.ts";
import { useRuling } from "./use-ruling.ts";
import { useTracing } from "./use-tracing.ts";
import { ValuesPanel } from "./values-panel.tsx";
import { VersionsPanel } from "./versions-panel.tsx";

interface Props {
  film: { studyId: string; instanceId: string };
  instance: Instance;
  loaded: LoadedPicture;
  opened: CephOpened;
  isEarlier: boolean;
  onStale: () => void;
}

const panels = ["guide", "values", "scale", "versions"] as const;

/**
 * The radiograph with its tracing, and beside it the guide through the landmarks, the values, the scale and the
 * versions.
 */
export function CephRoom({ film, instance, loaded, opened, isEarlier, onStale }: Props) {
  const t = useTexts("ceph");
  const [empty] = useState(() => newContent(instance, opened.defaultPopulation));
  const tracing = useTracing(film, opened, empty, isEarlier);
  const [analysis, setAnalysis] = useState<CephAnalysis>("steiner");
  const guide = useGuide(tracing.content, analysis);
  const ruling = useRuling(tracing);
  const [panel, setPanel] = useState<string | null>(opened.tracing ? "values" : "guide");
  const placeLikely = () => {
    const { active } = guide;
    if (!active || !tracing.maySave) return;
    const { columns, rows } = instance.picture ?? { columns: 0, rows: 0 };
    const place = opened.proposals.landmarks[active] ?? likelyPlace(tracing.content, active) ?? [columns / 2, rows / 2];
    tracing.place(active, [place[0], place[1]]);
    guide.take(active);
  };
  const shown = panels.filter((name) => opened.maySave || name === "values");
  return (
    <div className={styles.room}>
      <CephStage {...{ film, instance, loaded, opened, tracing, guide, ruling, analysis, placeLikely }} />
      <aside className={styles.side} aria-label={t("ceph.panel.label")}>
        <TracingState tracing={tracing} isEarlier={isEarlier} mayBringBack={opened.maySave} onStale={onStale} />
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
            <GuidePanel {...{ tracing, guide, opened }} onLikely={placeLikely} />
          </Tabs.Panel>
          <Tabs.Panel value="values" className={styles.panel}>
            <ValuesPanel {...{ tracing, opened, analysis }} onAnalysis={setAnalysis} />
          </Tabs.Panel>
          <Tabs.Panel value="scale" className={styles.panel}>
            <ScalePanel {...{ tracing, ruling, opened }} file={instance.picture} />
          </Tabs.Panel>
          <Tabs.Panel value="versions" className={styles.panel}>
            <VersionsPanel film={film} version={tracing.version} />
          </Tabs.Panel>
        </Tabs>
      </aside>
    </div>
  );
}

/**
 * Returns an empty tracing. The pixel spacing that a device states for its own pixels applies from the beginning; the
 * dpi of a scanned image only when a user accepts it.
 */
function newContent({ picture }: Instance, population: CephContent["population"]): CephContent {
  const spacing = picture?.spacing ?? null;
  const isOfDevice = spacing?.source === "pixelSpacing" || spacing?.source === "imager";
  return {
    landmarks: {},
    aspect: spacing ? spacing.row / spacing.column : 1,
    calibration: isOfDevice ? { source: "file", width: spacing.column, magnification: 1, line: null } : null,
    population,
    remark: null,
  };
}
