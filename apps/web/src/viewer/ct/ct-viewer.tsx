import { SegmentedControl } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Series } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import { Failed, Loading } from "../frame/states.tsx";
import { useSize } from "../frame/use-size.ts";
import { graphics } from "@arcada/imaging/gl/graphics";
import type { Marks } from "../marks/use-marks.ts";
import { planeNames, type PlaneName } from "@arcada/imaging/view/plane";
import styles from "./ct-viewer.module.css";
import { CtData } from "./ct-data.tsx";
import { CtTools } from "./ct-tools.tsx";
import type { VolumeFiles } from "./load-volume.ts";
import { No3d } from "./no-3d.tsx";
import { Panes } from "./panes.ts";
import { PlanePane } from "./plane-pane.tsx";
import { useCtControls } from "./use-ct-controls.ts";
import { usePlaneMarks } from "./use-plane-marks.ts";
import { useVolumePainting } from "./use-volume-painting.ts";
import { useVolume, type VolumeLoad } from "./use-volume.ts";
import { volumeFilesOf } from "./volume-files.ts";

interface Props {
  series: Series;
  marks: Marks;
  /** The series under addresses that are valid again. */
  renew: () => Promise<Series | null>;
}

/** Axial, coronal and sagittal planes of a volume with one crosshair. Give it the series' id as key. */
export function CtViewer({ series, marks, renew }: Props) {
  const t = useTexts("viewer");
  const files = volumeFilesOf(series);
  if (!files) return <Failed label={t("viewer.failed.unconverted")} />;
  if (graphics().kind === "none") return <No3d series={series} />;
  const renewFiles = async () => {
    const fresh = await renew();
    return fresh && volumeFilesOf(fresh);
  };
  return <VolumeViewer series={series} files={files} marks={marks} renew={renewFiles} />;
}

interface VolumeProps {
  series: Series;
  files: VolumeFiles;
  marks: Marks;
  renew: () => Promise<VolumeFiles | null>;
}

function VolumeViewer({ series, files, marks, renew }: VolumeProps) {
  const load = useVolume(files, renew);
  return <Planes series={series} load={load} marks={marks} />;
}

const narrow = 640;

function Planes({ series, load, marks }: { series: Series; load: VolumeLoad; marks: Marks }) {
  const t = useTexts("viewer");
  const { store } = load;
  const grid = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [panes] = useState(() => new Panes());
  const size = useSize(grid);
  const controls = useCtControls(store);
  const drawing = usePlaneMarks(marks, series.instances[0]?.id ?? null);
  useEffect(() => store.lookAt(controls.cross));
  const painting = useVolumePainting(host, panes, store, controls.look);
  const isNarrow = size !== null && size.width < narrow;
  const one = controls.large ?? (isNarrow ? controls.active : null);
  if (painting === "absent") return <No3d series={series} />;

  return (
    <>
      <CtTools store={store} controls={controls} marks={marks} drawing={drawing} />
      {one && (
        <SegmentedControl
          className={styles.planes}
          size="xs"
          fullWidth
          value={one}
          onChange={(name) => {
            controls.activate(name as PlaneName);
            if (controls.large && controls.large !== name) controls.toggleLarge(name as PlaneName);
          }}
          data={planeNames.map((name) => ({ value: name, label: t(`viewer.plane.${name}`) }))}
        />
      )}
      <div ref={grid} className={`${styles.grid} ${one ? (styles.single ?? "") : ""}`}>
        <div ref={host} className={styles.host} aria-hidden />
        {planeNames
          .filter((name) => !one || name === one)
          .map((name) => (
            <PlanePane
              key={name}
              name={name}
              store={store}
              controls={controls}
              drawing={drawing}
              panes={panes}
              isActive={!one && controls.active === name}
            />
          ))}
        {!one && <CtData series={series} load={load} marks={marks} drawing={drawing} onGoTo={controls.setCross} />}
        <Covers load={load} isLost={painting === "lost"} />
      </div>
      {one && <CtData series={series} load={load} marks={marks} drawing={drawing} onGoTo={controls.setCross} isLine />}
    </>
  );
}

/** What lies over the planes while there is nothing to see. */
function Covers({ load, isLost }: { load: VolumeLoad; isLost: boolean }) {
  const t = useTexts("viewer");
  if (!isLost && load.stage !== "waiting") return null;
  const { fault } = load;
  return (
    <div className={styles.cover}>
      {isLost ? (
        <Loading label={t("viewer.contextLost")} />
      ) : fault ? (
        <Failed label={t(`viewer.failed.${fault.reason}`)} onAgain={fault.again} />
      ) : (
        <Loading label={t("viewer.loading.volume")} />
      )}
    </div>
  );
}
