import { lazy, Suspense, useState } from "react";
import type { Instance, Series, Study } from "@arcada/contract/study/study.calls";
import { sharedStudyCalls } from "@arcada/contract/study/shared.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { useMay } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";
import { DocumentFile, Failed, Loading, Nothing } from "./frame/states.tsx";
import { useMarks, type Marks } from "./marks/use-marks.ts";
import { ModelScene } from "./model/model-scene.tsx";
import type { SceneModel } from "./model/scene-model.ts";
import type { PictureShelf } from "./picture/use-picture-view.ts";
import { chosenItem, itemsOf, type StudyItem } from "./study-items.ts";
import { PartlyPrepared, StudyPreparing } from "./study-preparing.tsx";
import { StudyStrip } from "./study-strip.tsx";
import styles from "./study-viewer.module.css";
import { viewerCode } from "./viewer-code.ts";

const CtViewer = lazy(async () => ({ default: (await viewerCode.volume()).CtViewer }));
const PictureViewer = lazy(async () => ({ default: (await viewerCode.picture()).PictureViewer }));

interface Props {
  study: Study;
  /** The id of the item or series to show. */
  named: string | undefined;
  onChoose: (id: string) => void;
  /** Prefers a volume if no item is named. */
  preferVolume: boolean;
  /** Fetches the study with renewed addresses. */
  renew: () => Promise<Study | null>;
  /** True for a guest session, which may only view: nothing is saved or made again. */
  isShared?: boolean;
}

/** A study: a strip of its items, and the viewer for the selected one. Must be inside a Surface. */
export function StudyViewer({ study, named, onChoose, preferVolume, renew, isShared = false }: Props) {
  const t = useTexts("viewer");
  const maySave = useMay(studyCalls.saveMarks) && !isShared;
  const marks = useMarks(study.id, maySave, isShared ? sharedStudyCalls.marks : studyCalls.marks);
  const [shelf] = useState<PictureShelf>(() => new Map());
  const items = itemsOf(study);
  const item = chosenItem(items, named, preferVolume);
  const isShown = study.state === "ready" || items.some(canShow);
  const preparing = isShared ? <Loading label={t("viewer.converting")} /> : <StudyPreparing study={study} />;
  if (!isShown) return preparing;
  if (!item) return <Nothing label={t("viewer.empty")} />;
  return (
    <div className={styles.study}>
      {items.length > 1 && <StudyStrip items={items} chosen={item.id} onChoose={onChoose} />}
      <div className={styles.stage}>
        {!isShared && <PartlyPrepared study={study} />}
        {study.state === "ready" || canShow(item) ? (
          <Suspense fallback={<Loading label={t(`viewer.loading.${item.kind}`)} />}>
            <ItemViewer
              key={item.id}
              item={item}
              patientId={isShared ? null : study.patientId}
              marks={marks}
              renew={renew}
              shelf={shelf}
            />
          </Suspense>
        ) : (
          preparing
        )}
      </div>
    </div>
  );
}

/** A volume can be viewed as soon as its preview is made, while the rest of the study is not ready. */
const canShow = ({ kind, series }: StudyItem): boolean => kind === "volume" && series.volume !== null;

interface ItemProps extends Pick<Props, "renew"> {
  item: StudyItem;
  patientId: string | null;
  marks: Marks;
  shelf: PictureShelf;
}

function ItemViewer({ item, patientId, marks, renew, shelf }: ItemProps) {
  const renewSeries = async (): Promise<Series | null> =>
    (await renew())?.series.find(({ id }) => id === item.series.id) ?? null;
  const renewInstance = async (id: string) =>
    (await renewSeries())?.instances.find((instance) => instance.id === id) ?? null;
  if (item.kind === "volume")
    return <CtViewer patientId={patientId} series={item.series} marks={marks} renew={renewSeries} />;
  if (item.kind === "models")
    return (
      <ModelScene
        isWholePage
        models={sceneModels(item.series)}
        marks={marks}
        renew={async (id) => (await renewInstance(id))?.model ?? null}
      />
    );
  if (!item.instance.picture) return <NoPicture instance={item.instance} />;
  return (
    <PictureViewer
      series={item.series}
      instance={item.instance}
      marks={marks}
      shelf={shelf}
      renew={async () => (await renewInstance(item.instance.id))?.picture ?? null}
    />
  );
}

function NoPicture({ instance: { fault, name, document } }: { instance: Instance }) {
  const t = useTexts("viewer", "refusals");
  if (document) return <DocumentFile label={name} url={document.url} />;
  return <Failed label={fault ? t(`refusals.${fault}`) : t("viewer.failed.unconverted")} />;
}

const sceneModels = ({ instances }: Series): SceneModel[] =>
  instances.flatMap(({ id, name, model, thumbnailUrl }) =>
    model ? [{ id, name, url: model.url, glb: model.glb, format: model.format, jaw: model.jaw, thumbnailUrl }] : [],
  );
