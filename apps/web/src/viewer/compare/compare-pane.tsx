import { Select } from "@mantine/core";
import { useMemo, useRef, useState, type RefObject } from "react";
import type { StudyRow } from "@arcada/contract/study/study.calls";
import { followedView, linkedView } from "@arcada/imaging/view/linked-view";
import { fitted, panned, viewMatrix, zoomedAt, type PictureView, type Size } from "@arcada/imaging/view/picture-view";
import { showDay } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { Failed, Loading, Nothing } from "../frame/states.tsx";
import { useGestures } from "../frame/use-gestures.ts";
import { useSize } from "../frame/use-size.ts";
import { MarksLayer } from "../marks/marks-layer.tsx";
import { useMarks } from "../marks/use-marks.ts";
import type { LoadedPicture } from "../picture/load-picture.ts";
import { usePainting } from "../picture/use-painting.ts";
import { usePicture } from "../picture/use-picture.ts";
import { usePictureMarks } from "../picture/use-picture-marks.ts";
import { draggedWindow } from "../picture/window-drag.ts";
import styles from "./compare-page.module.css";
import type { OneLinked } from "./use-linked.ts";
import type { Side } from "./use-side.ts";

export type CompareTool = "window" | "pan";

interface Props {
  label: string;
  side: Side;
  studies: readonly StudyRow[];
  studyId: string | undefined;
  tool: CompareTool;
  isInverted: boolean;
  linked: OneLinked;
  onStudy: (id: string) => void;
  onItem: (id: string) => void;
}

/** One side of a comparison: the choice of the image, and the image. */
export function ComparePane({ label, side, studies, studyId, onStudy, onItem, ...shown }: Props) {
  const t = useTexts("viewer", "study");
  const { picture, pictures, study } = side;
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
            label: [showDay(takenAt ?? createdAt), t(`viewer.studyKind.${kind}`), description]
              .filter(Boolean)
              .join(" · "),
          }))}
        />
        {pictures.length > 1 && (
          <Select
            size="xs"
            aria-label={t("viewer.compare.picture")}
            value={picture?.id ?? null}
            onChange={(id) => id && onItem(id)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            data={pictures.map(({ id, name }, at) => ({
              value: id,
              label: name || t("viewer.itemNumber", { number: at + 1 }),
            }))}
          />
        )}
      </div>
      {side.isFailed ? (
        <Failed label={t("viewer.failed.network")} onAgain={side.again} />
      ) : studyId === undefined ? (
        <Nothing label={t("viewer.compare.noSecond")} />
      ) : !study ? (
        <Loading label={t("viewer.loading.picture")} />
      ) : !picture ? (
        <Nothing label={t("viewer.empty")} />
      ) : (
        <SidePicture key={picture.id} {...shown} side={side} studyId={study.id} picture={picture} />
      )}
    </section>
  );
}

type Shown = Pick<Props, "tool" | "isInverted" | "linked" | "side"> & {
  studyId: string;
  picture: NonNullable<Side["picture"]>;
};

function SidePicture({ side, picture, ...shown }: Shown) {
  const t = useTexts("viewer");
  const load = usePicture(picture, 0, side.renew);
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.part} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onAgain={load.again} />;
  return <SideCanvas {...shown} picture={picture} loaded={load.loaded} />;
}

function SideCanvas({
  loaded,
  picture: instance,
  studyId,
  tool,
  isInverted,
  linked,
}: Omit<Shown, "side"> & { loaded: LoadedPicture }) {
  const { picture } = loaded;
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useSize(pane);
  const [window, setWindow] = useState(loaded.window);
  const view = useMemo(() => viewport && viewOf(linked, picture, viewport), [linked, picture, viewport]);
  const look = useMemo(
    () => ({ window, inverted: (instance.picture?.inverted ?? false) !== isInverted }),
    [window, instance, isInverted],
  );
  usePainting(
    host,
    picture,
    useMemo(() => view && viewport && { view, look, viewport }, [view, look, viewport]),
  );
  const matrix = view && viewport && viewMatrix(view, picture, viewport);
  const marks = usePictureMarks(
    useMarks(studyId, false),
    { instanceId: instance.id, frame: 0 },
    matrix,
    picture.spacing,
  );
  const alter = (change: (view: PictureView, viewport: Size) => PictureView) => {
    if (view && viewport) linked.set(linkedView(change(view, viewport), picture, viewport, linked.by));
  };
  const range = instance.picture ? instance.picture.max - instance.picture.min : 256;
  useCompareHand(pane, {
    pan: (by) => alter((now, size) => panned(now, picture, size, by)),
    zoom: (at, factor) => alter((now, size) => zoomedAt(now, picture, size, at, factor)),
    bright: (by) => setWindow((now) => draggedWindow(now, by, range)),
    tool,
  });
  return (
    <div ref={pane} className={styles.pane}>
      <div ref={host} className={styles.host} />
      <MarksLayer marks={marks.shown} chosen={null} onChoose={() => {}} onMove={() => {}} />
    </div>
  );
}

const upright: PictureView = { zoom: 1, centre: [0, 0], turns: 0, mirrored: false };

function viewOf({ view, by }: OneLinked, shape: LoadedPicture["picture"], viewport: Size): PictureView {
  const whole = fitted(upright, shape, viewport);
  return view ? followedView(view, whole, shape, viewport, by) : whole;
}

type Spot = readonly [number, number];
interface Hand {
  tool: CompareTool;
  pan: (by: Spot) => void;
  zoom: (at: Spot, factor: number) => void;
  bright: (by: Spot) => void;
}

function useCompareHand(pane: RefObject<HTMLElement | null>, { tool, pan, zoom, bright }: Hand): void {
  useGestures(pane, {
    drag: (_at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window")) bright(by);
      else pan(by);
    },
    pinch: (at, factor, by) => {
      if (by[0] !== 0 || by[1] !== 0) pan(by);
      zoom(at, factor);
    },
    wheel: (at, notches) => zoom(at, Math.exp(-notches * 0.2)),
  });
}
