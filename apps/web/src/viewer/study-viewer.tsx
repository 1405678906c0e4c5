import { lazy, Suspense, useState } from "react";
import type { Instance, Series, Study } from "@arcada/contract/study/study.schema";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { sharedStudyCalls } from "@arcada/contract/study/shared-study.calls";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { useOpenScreen, useSearchParams } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { translateRefusal } from "../data/call-errors.ts";
import { useTexts } from "../i18n/texts.ts";
import { DocumentFile, Failed, Loading, NothingToShow } from "./ui/page/status-messages.tsx";
import { useAnnotations, type AnnotationStore } from "./annotations/store/use-annotations.ts";
import { ModelScene } from "./model/lazy-model-viewer.tsx";
import type { SceneModel } from "./model/scene-model.ts";
import type { ImageViewStore } from "./image/use-image-view.ts";
import { selectStudyItem, listStudyItems, type StudyItem } from "./study-items.ts";
import { PartialConversionNotice, StudyConversionStatus } from "./study-conversion-status.tsx";
import { StudyThumbnailStrip } from "./study-thumbnail-strip.tsx";
import styles from "./study-viewer.module.css";
import { viewerLoaders } from "./viewer-code-loaders.ts";

const CtViewer = lazy(async () => ({ default: (await viewerLoaders.volume()).CtViewer }));
const VideoPlayer = lazy(async () => ({ default: (await import("./video/video-player.tsx")).VideoPlayer }));
const ImageViewer = lazy(async () => ({ default: (await viewerLoaders.picture()).ImageViewer }));

interface Props {
  study: Study;
  /** The id of the item or series to show. */
  requestedId: string | undefined;
  onChoose: (id: string) => void;
  /** Prefers a volume if no item is named. */
  preferVolume: boolean;
  /** Fetches the study with renewed addresses. */
  renew: () => Promise<Study | null>;
  /** True for a guest session, which may only view: nothing is saved or made again. */
  isShared?: boolean;
}

/** A study: a strip of its items, and the viewer for the selected one. Must be inside a Surface. */
export function StudyViewer({ study, requestedId, onChoose, preferVolume, renew, isShared = false }: Props) {
  const t = useTexts("viewer");
  const maySave = useCanAccess(annotationCalls.saveMarks) && !isShared;
  const annotations = useAnnotations(study.id, maySave, isShared ? sharedStudyCalls.marks : annotationCalls.marks);
  const [viewStore] = useState<ImageViewStore>(() => new Map());
  const openCephOf = useOpenCeph(study);
  const maySeeAnalyses = useCanAccess(analysisCalls.list);
  const filmPatientId = maySeeAnalyses && study.kind === "dentalFilm" ? study.patientId : null;
  const items = listStudyItems(study);
  const item = selectStudyItem(items, requestedId, preferVolume);
  const isShown = study.state === "ready" || items.some(canShow);
  const preparing = isShared ? <Loading label={t("viewer.converting")} /> : <StudyConversionStatus study={study} />;
  if (!isShown) return preparing;
  if (!item) return <NothingToShow label={t("viewer.empty")} />;
  const openCeph = isShared || !openCephOf ? null : () => openCephOf(item.id);
  return (
    <div className={styles.study}>
      {items.length > 1 && <StudyThumbnailStrip items={items} chosen={item.id} onChoose={onChoose} />}
      <div className={styles.stage}>
        {!isShared && <PartialConversionNotice study={study} />}
        {study.state === "ready" || canShow(item) ? (
          <Suspense fallback={<Loading label={t(`viewer.loading.${item.kind}`)} />}>
            <ItemViewer
              key={item.id}
              item={item}
              patientId={isShared ? null : study.patientId}
              annotations={annotations}
              renew={renew}
              viewStore={viewStore}
              openCeph={openCeph}
              filmPatientId={isShared ? null : filmPatientId}
            />
          </Suspense>
        ) : (
          preparing
        )}
      </div>
    </div>
  );
}

/** Returns a function that opens the tracing of an image of a cephalogram; null for other studies. */
function useOpenCeph({ id, kind }: Study): ((item: string) => void) | null {
  const { order } = useSearchParams();
  const go = useOpenScreen();
  if (!useCanAccess(cephCalls.open) || kind !== "lateralCeph") return null;
  return (item) => go("cephViewer", { study: id, item, order });
}

/** A volume can be viewed as soon as its preview is made, while the rest of the study is not ready. */
const canShow = ({ kind, series }: StudyItem): boolean => kind === "volume" && series.volume !== null;

interface ItemProps extends Pick<Props, "renew"> {
  item: StudyItem;
  patientId: string | null;
  annotations: AnnotationStore;
  viewStore: ImageViewStore;
  openCeph: (() => void) | null;
  filmPatientId: string | null;
}

function ItemViewer({ item, patientId, renew, ...rest }: ItemProps) {
  const renewSeries = async (): Promise<Series | null> =>
    (await renew())?.series.find(({ id }) => id === item.series.id) ?? null;
  const renewInstance = async (id: string) =>
    (await renewSeries())?.instances.find((instance) => instance.id === id) ?? null;
  if (item.kind === "volume")
    return <CtViewer patientId={patientId} series={item.series} annotations={rest.annotations} renew={renewSeries} />;
  if (item.kind === "models")
    return (
      <ModelScene
        isWholePage
        models={listSceneModels(item.series)}
        annotations={rest.annotations}
        renew={async (id) => (await renewInstance(id))?.model ?? null}
      />
    );
  const { video } = item.instance;
  if (video)
    return (
      <VideoPlayer
        name={item.instance.name}
        video={video}
        download={item.instance.originalUrl}
        renew={async () => (await renewInstance(item.instance.id))?.video?.url ?? null}
      />
    );
  if (!item.instance.picture) return <MissingImage instance={item.instance} />;
  return (
    <ImageViewer
      series={item.series}
      instance={item.instance}
      {...rest}
      renew={async () => (await renewInstance(item.instance.id))?.picture ?? null}
    />
  );
}

function MissingImage({ instance: { fault, name, document } }: { instance: Instance }) {
  const t = useTexts("viewer", "refusals");
  if (document) return <DocumentFile label={name} {...document} />;
  return <Failed label={fault ? translateRefusal(t, fault, fault) : t("viewer.failed.unconverted")} />;
}

const listSceneModels = ({ instances }: Series): SceneModel[] =>
  instances.flatMap(({ id, name, model, thumbnailUrl }) =>
    model ? [{ id, name, url: model.url, glb: model.glb, format: model.format, jaw: model.jaw, thumbnailUrl }] : [],
  );
