import type { Instance, Series } from "@arcada/contract/study/study.schema";
import { useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { Failed, Loading } from "../ui/page/status-messages.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import type { ImageFile } from "./loading/load-image.ts";
import { ImageViewport } from "./image-viewport.tsx";
import { useLoadedImage } from "./loading/use-loaded-image.ts";
import type { ImageViewStore } from "./use-image-view.ts";

interface Props {
  series: Series;
  instance: Instance;
  annotations: AnnotationStore;
  /** Returns a renewed address. */
  renew: () => Promise<ImageFile | null>;
  /** The page's store of the orientation and the display settings of its images. */
  viewStore: ImageViewStore;
  /** Opens the tracing of a cephalogram; null for other images. */
  openCeph: (() => void) | null;
  /** The patient of an intra-oral radiograph whose analyses this user may read; null for other images. */
  filmPatientId: string | null;
}

/** One image with its tools: panorama, ceph, radiograph or photo. Give it the instance's id as key. */
export function ImageViewer({ series, instance, annotations, renew, viewStore, openCeph, filmPatientId }: Props) {
  const t = useTexts("viewer");
  const [frame, setFrame] = useState(0);
  const load = useLoadedImage(instance, frame, renew);
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.progress} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onRetry={load.retry} />;
  return (
    <ImageViewport
      {...{ series, instance, annotations, frame, viewStore, openCeph, filmPatientId }}
      loaded={load.loaded}
      onFrame={setFrame}
    />
  );
}
