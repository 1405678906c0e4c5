import { IconLayoutGrid, IconRotateClockwise, IconTrash, IconZoomScan } from "@tabler/icons-react";
import { useEffect, useRef, type RefObject } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import {
  layoutsForKind,
  mountKindNames,
  mountLayouts,
  type MountKind,
  type MountPosition,
} from "@arcada/contract/study/mount-layouts";
import { mountCalls, type MountImage, type SeriesMount } from "@arcada/contract/study/series-mount.calls";
import { formatDay } from "../../i18n/format.ts";
import { useOpenScreen, useSearchParams } from "../../browser/navigation.tsx";
import { useTexts, translateDynamic } from "../../i18n/texts.ts";
import type { NameUnder, TextKey } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import { useExportTools } from "../export/use-export-tools.ts";
import { ViewerBackLink, ViewerPageFrame } from "../ui/page/viewer-page-frame.tsx";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { NothingToShow } from "../ui/page/status-messages.tsx";
import { SingleModeToolbar } from "../ui/modes/mode-toolbar.tsx";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import styles from "./series-mount-page.module.css";
import { TurnSuggestion } from "./turn-suggestion.tsx";
import { useImageDrag, type ImageDrag } from "./use-image-drag.ts";
import { useSeriesMount, type SeriesMountControls } from "./use-series-mount.ts";

/** Returns the text key for radiographs, or the one for photographs. */
const textKeyOf = (kind: MountKind, key: NameUnder<"viewer.mount.photo">): TextKey =>
  `viewer.mount.${kind === "photos" ? "photo." : ""}${key}`;

/** The mount of a patient's radiographs, or photographs: `patient` in the address, and `kind`. */
export function SeriesMountPage() {
  const t = useTexts("viewer");
  const { patient, kind } = useSearchParams();
  if (!patient) return <EmptyState title={t("viewer.compare.noPatient")} />;
  return <PatientSeriesMount patientId={patient} kind={mountKindNames.find((one) => one === kind) ?? "films"} />;
}

function PatientSeriesMount({ patientId, kind }: { patientId: string; kind: MountKind }) {
  const t = useTexts("viewer");
  const name = useCall(patientCalls.detail, { id: patientId }).data?.name;
  const query = useCall(mountCalls.mount, { patientId, kind });
  return (
    <QueryResult of={query}>
      {(mount) => (
        <ViewerPageFrame
          back={<ViewerBackLink screen="patientDetail" search={{ id: patientId }} label={t("viewer.backToPatient")} />}
          title={name ?? t(textKeyOf(kind, "title"))}
          text={name ? t(textKeyOf(kind, "title")) : ""}
        >
          {mount.all.length === 0 ? (
            <NothingToShow label={t(textKeyOf(kind, "nothing"))} />
          ) : (
            <MountBoard patientId={patientId} mount={mount} onStale={() => void query.refetch()} />
          )}
        </ViewerPageFrame>
      )}
    </QueryResult>
  );
}

function MountBoard({ patientId, mount, onStale }: { patientId: string; mount: SeriesMount; onStale: () => void }) {
  const controls = useSeriesMount(patientId, mount, onStale);
  const drag = useImageDrag((image, place) => (place === "" ? controls.remove(image) : controls.put(image, place)));
  const board = useRef<HTMLDivElement>(null);
  const { rows, columns, places } = mountLayouts[controls.layout];
  return (
    <>
      <MountTools controls={controls} mount={mount} board={board} />
      {mountLayouts[controls.layout].kind === "films" && (
        <TurnSuggestion patientId={patientId} images={mount.all} controls={controls} />
      )}
      <div className={styles.scroll}>
        <div
          ref={board}
          className={styles.board}
          style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gridTemplateRows: `repeat(${rows}, 1fr)` }}
        >
          {places.map((place) => (
            <MountSlot key={place.name} place={place} controls={controls} drag={drag} />
          ))}
        </div>
      </div>
      <UnplacedImages controls={controls} drag={drag} />
      <DragPreview drag={drag} image={mount.all.find(({ id }) => id === drag.dragged?.id)} />
    </>
  );
}

interface ToolsProps {
  controls: SeriesMountControls;
  mount: SeriesMount;
  board: RefObject<HTMLDivElement | null>;
}

function MountTools({ controls, mount, board }: ToolsProps) {
  const t = useTexts("viewer");
  const go = useOpenScreen();
  const { selected, layout } = controls;
  const image = mount.all.find(({ id }) => id === selected);
  const isPlaced = image !== undefined && !controls.unplaced.includes(image);
  const open = () => image && go("viewer", { study: image.studyId, item: image.id });
  const remove = () => image && isPlaced && controls.remove(image.id);
  const turn = () => image && controls.turn({ [image.id]: controls.turnsOf(image.id) + 1 });
  useShortcuts({ Escape: () => controls.select(null), Delete: remove, Backspace: remove, R: turn });
  const { kind } = mountLayouts[layout];
  const exportTools = useExportTools({
    viewportRef: board,
    name: kind === "photos" ? "photo-mount" : "film-mount",
    snapshot: () => ({ scale: Math.max(2, window.devicePixelRatio) }),
  });
  const layouts: ViewerTool = {
    id: "layout",
    label: t("viewer.mount.layout"),
    icon: IconLayoutGrid,
    items: layoutsForKind(kind).map((name) => ({
      key: name,
      label: t(textKeyOf(mountLayouts[name].kind, "films"), { count: mountLayouts[name].places.length }),
      isOn: name === layout,
      onPress: () => controls.chooseLayout(name),
    })),
  };
  const bar: ViewerTool[] = [
    layouts,
    { id: "open", label: t("viewer.mount.open"), icon: IconZoomScan, disabled: !image, onPress: open },
    {
      id: "turn",
      label: t("viewer.mount.turn"),
      icon: IconRotateClockwise,
      keys: "R",
      disabled: !image,
      onPress: turn,
    },
    {
      id: "take",
      label: t("viewer.mount.take"),
      icon: IconTrash,
      keys: "Delete",
      disabled: !isPlaced,
      onPress: remove,
    },
    ...exportTools,
  ];
  return (
    <>
      <SingleModeToolbar bar={bar} />
      <p className={styles.hint} role="status">
        {t(controls.isSaving ? "viewer.mount.saving" : textKeyOf(kind, image ? "putDown" : "help"))}
      </p>
    </>
  );
}

interface MountSlotProps {
  place: MountPosition;
  controls: SeriesMountControls;
  drag: ImageDrag;
}
function MountSlot({ place, controls, drag }: MountSlotProps) {
  const t = useTexts("viewer");
  const image = controls.imageAt(place.name);
  const [jaw = "", tooth = ""] = place.name.split(".");
  const label = t("viewer.mount.place", {
    jaw: translateDynamic(t, `viewer.mount.jaw.${jaw}`, jaw),
    tooth: translateDynamic(t, `viewer.mount.tooth.${tooth}`, tooth),
  });
  const press = () => {
    if (controls.selected && controls.selected !== image?.id) controls.put(controls.selected, place.name);
    else if (image) controls.select(image.id);
  };
  return (
    <button
      type="button"
      className={`${styles.place} ${image ? (styles.full ?? "") : ""} ${place.upright ? (styles.upright ?? "") : ""}`}
      style={{ gridRow: place.row + 1, gridColumn: place.column + 1 }}
      aria-label={image ? `${label}: ${formatImageCaption(image)}` : t("viewer.mount.empty", { place: label })}
      aria-pressed={image !== null && controls.selected === image.id}
      data-place={place.name}
      data-over={drag.hoveredPlace === place.name || undefined}
      onClick={press}
      {...(image && drag.handlersFor(image.id))}
    >
      {image?.thumbnailUrl ? (
        <img src={image.thumbnailUrl} alt="" data-drawing data-turned={controls.turnsOf(image.id)} draggable={false} />
      ) : (
        <span className={styles.name}>{image ? formatImageCaption(image) : label}</span>
      )}
    </button>
  );
}

function UnplacedImages({ controls, drag }: Omit<MountSlotProps, "place">) {
  const t = useTexts("viewer");
  const strip = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const { current } = strip;
    current?.toggleAttribute("data-scrolls", current.scrollWidth > current.clientWidth);
  });
  const { kind } = mountLayouts[controls.layout];
  if (controls.unplaced.length === 0)
    return (
      <p className={styles.none} data-place="">
        {t(textKeyOf(kind, "allPlaced"))}
      </p>
    );
  return (
    <ul ref={strip} className={styles.loose} aria-label={t(textKeyOf(kind, "loose"))} data-place="">
      {controls.unplaced.map((image) => (
        <li key={image.id}>
          <button
            type="button"
            className={styles.film}
            aria-label={formatImageCaption(image)}
            aria-pressed={controls.selected === image.id}
            onClick={() => controls.select(image.id)}
            {...drag.handlersFor(image.id)}
          >
            {image.thumbnailUrl && (
              <img src={image.thumbnailUrl} alt="" data-turned={controls.turnsOf(image.id)} draggable={false} />
            )}
            <span className={styles.name}>{formatDay(image.takenAt ?? image.createdAt)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The image under the pointer while it is dragged. */
function DragPreview({ drag: { dragged }, image }: { drag: ImageDrag; image: MountImage | undefined }) {
  if (!dragged || !image?.thumbnailUrl) return null;
  return <img src={image.thumbnailUrl} alt="" className={styles.air} style={{ left: dragged.x, top: dragged.y }} />;
}

const formatImageCaption = ({ name, takenAt, createdAt }: MountImage): string =>
  [formatDay(takenAt ?? createdAt), name].filter(Boolean).join(" · ");
