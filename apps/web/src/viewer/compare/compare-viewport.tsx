import { Select } from "@mantine/core";
import { useMemo, useRef, useState, type RefObject } from "react";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { followLinkedView, toLinkedView } from "@arcada/imaging/view/linked-view";
import {
  fitView,
  panView,
  computeViewMatrix,
  zoomViewAt,
  type ImageView,
  type Size,
} from "@arcada/imaging/view/image-view";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Failed, Loading, NothingToShow } from "../ui/page/status-messages.tsx";
import { useGestures } from "../ui/input/use-gestures.ts";
import { useClientSize } from "../ui/viewport/use-client-size.ts";
import { AnnotationLayer } from "../annotations/layer/annotation-layer.tsx";
import { useAnnotations } from "../annotations/store/use-annotations.ts";
import type { LoadedImage } from "../image/loading/load-image.ts";
import { useImageRendering } from "../image/rendering/use-image-rendering.ts";
import { useLoadedImage } from "../image/loading/use-loaded-image.ts";
import { useImageAnnotations } from "../image/annotations/use-image-annotations.ts";
import { adjustWindowByDrag } from "../image/display-settings/adjust-window-by-drag.ts";
import styles from "./compare-page.module.css";
import type { LinkedSide } from "./use-linked-views.ts";
import type { CompareSide } from "./use-compare-side.ts";

export type CompareTool = "window" | "pan";

interface Props {
  label: string;
  side: CompareSide;
  studies: readonly StudyRow[];
  studyId: string | undefined;
  tool: CompareTool;
  isInverted: boolean;
  linked: LinkedSide;
  onStudy: (id: string) => void;
  onItem: (id: string) => void;
}

/** One side of a comparison: the choice of the image, and the image. */
export function CompareViewport({ label, side, studies, studyId, onStudy, onItem, ...shown }: Props) {
  const t = useTexts("viewer", "study");
  const { image, images, study } = side;
  return (
    <section className={styles.side} aria-label={label}>
      <div className={styles.head}>
        <Select
          size="xs"
          aria-label={t("viewer.compare.study")}
          value={studyId ?? null}
          onChange={(id) => id && onStudy(id)}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          data={studies.map(({ id, kind, takenAt, createdAt, description }) => ({
            value: id,
            label: [formatDay(takenAt ?? createdAt), t(`viewer.studyKind.${kind}`), description]
              .filter(Boolean)
              .join(" · "),
          }))}
        />
        {images.length > 1 && (
          <Select
            size="xs"
            aria-label={t("viewer.compare.picture")}
            value={image?.id ?? null}
            onChange={(id) => id && onItem(id)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            data={images.map(({ id, name }, at) => ({
              value: id,
              label: name || t("viewer.itemNumber", { number: at + 1 }),
            }))}
          />
        )}
      </div>
      {side.isFailed ? (
        <Failed label={t("viewer.failed.network")} onRetry={side.retry} />
      ) : studyId === undefined ? (
        <NothingToShow label={t("viewer.compare.noSecond")} />
      ) : !study ? (
        <Loading label={t("viewer.loading.picture")} />
      ) : !image ? (
        <NothingToShow label={t("viewer.empty")} />
      ) : (
        <SideImage key={image.id} {...shown} side={side} studyId={study.id} image={image} />
      )}
    </section>
  );
}

type ImageProps = Pick<Props, "tool" | "isInverted" | "linked" | "side"> & {
  studyId: string;
  image: NonNullable<CompareSide["image"]>;
};

function SideImage({ side, image, ...shown }: ImageProps) {
  const t = useTexts("viewer");
  const load = useLoadedImage(image, 0, side.renew);
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.progress} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onRetry={load.retry} />;
  return <SideCanvas {...shown} image={image} loaded={load.loaded} />;
}

function SideCanvas({
  loaded,
  image: instance,
  studyId,
  tool,
  isInverted,
  linked,
}: Omit<ImageProps, "side"> & { loaded: LoadedImage }) {
  const { image } = loaded;
  const element = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useClientSize(element);
  const [window, setWindow] = useState(loaded.window);
  const view = useMemo(() => viewport && computeView(linked, image, viewport), [linked, image, viewport]);
  const displaySettings = useMemo(
    () => ({ window, inverted: (instance.picture?.inverted ?? false) !== isInverted }),
    [window, instance, isInverted],
  );
  useImageRendering(
    host,
    image,
    useMemo(() => view && viewport && { view, displaySettings, viewport }, [view, displaySettings, viewport]),
  );
  const matrix = view && viewport && computeViewMatrix(view, image, viewport);
  const annotations = useImageAnnotations(
    useAnnotations(studyId, false),
    { instanceId: instance.id, frame: 0 },
    matrix,
    image.spacing,
  );
  const alter = (change: (view: ImageView, viewport: Size) => ImageView) => {
    if (view && viewport) linked.set(toLinkedView(change(view, viewport), image, viewport, linked.unit));
  };
  const range = instance.picture ? instance.picture.max - instance.picture.min : 256;
  useComparePointerHandler(element, {
    pan: (by) => alter((now, size) => panView(now, image, size, by)),
    zoom: (at, factor) => alter((now, size) => zoomViewAt(now, image, size, at, factor)),
    dragWindow: (by) => setWindow((now) => adjustWindowByDrag(now, by, range)),
    tool,
  });
  return (
    <div ref={element} className={styles.pane}>
      <div ref={host} className={styles.host} />
      <AnnotationLayer annotations={annotations.shown} chosen={null} onChoose={() => {}} onMove={() => {}} />
    </div>
  );
}

const uprightView: ImageView = { zoom: 1, centre: [0, 0], turns: 0, mirrored: false };

function computeView({ view, unit: by }: LinkedSide, shape: LoadedImage["image"], viewport: Size): ImageView {
  const whole = fitView(uprightView, shape, viewport);
  return view ? followLinkedView(view, whole, shape, viewport, by) : whole;
}

type Spot = readonly [number, number];
interface PointerHandlerOptions {
  tool: CompareTool;
  pan: (by: Spot) => void;
  zoom: (at: Spot, factor: number) => void;
  dragWindow: (by: Spot) => void;
}

function useComparePointerHandler(
  element: RefObject<HTMLElement | null>,
  { tool, pan, zoom, dragWindow }: PointerHandlerOptions,
): void {
  useGestures(element, {
    drag: (_at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window")) dragWindow(by);
      else pan(by);
    },
    pinch: (at, factor, by) => {
      if (by[0] !== 0 || by[1] !== 0) pan(by);
      zoom(at, factor);
    },
    wheel: (at, notches) => zoom(at, Math.exp(-notches * 0.2)),
  });
}
