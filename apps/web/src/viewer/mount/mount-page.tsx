import { Select } from "@mantine/core";
import { IconTrash, IconZoomScan } from "@tabler/icons-react";
import { useEffect, useRef, type RefObject } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import {
  layoutsOf,
  mountKindNames,
  mountLayouts,
  type MountKind,
  type MountLayoutName,
  type MountPlace,
} from "@arcada/contract/study/mount";
import { mountCalls, type Film, type Mount } from "@arcada/contract/study/mount.calls";
import { showDay } from "../../kernel/format.ts";
import { useGo, useSearch } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { Answer } from "../../ui/answer.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { ExportMenu } from "../export/export-menu.tsx";
import { RoomBack, ViewerRoom } from "../frame/room.tsx";
import { useShortcuts } from "../frame/shortcuts.ts";
import { Nothing } from "../frame/states.tsx";
import { Tool, ToolGap, Toolbar } from "../frame/toolbar.tsx";
import styles from "./mount-page.module.css";
import { useDrag, type Dragging } from "./use-drag.ts";
import { useMount, type MountControls } from "./use-mount.ts";

/** Returns the text key for radiographs, or the one for photographs. */
const wordOf = (kind: MountKind, key: string): string => `viewer.mount.${kind === "photos" ? "photo." : ""}${key}`;

/** The mount of a patient's radiographs, or photographs: `patient` in the address, and `kind`. */
export function MountPage() {
  const t = useTexts("viewer");
  const { patient, kind } = useSearch();
  if (!patient) return <EmptyState title={t("viewer.compare.noPatient")} />;
  return <PatientMount patientId={patient} kind={mountKindNames.find((one) => one === kind) ?? "films"} />;
}

function PatientMount({ patientId, kind }: { patientId: string; kind: MountKind }) {
  const t = useTexts("viewer");
  const name = useCall(patientCalls.detail, { id: patientId }).data?.name;
  const query = useCall(mountCalls.mount, { patientId, kind });
  return (
    <Answer of={query}>
      {(mount) => (
        <ViewerRoom
          back={<RoomBack screen="patientDetail" search={{ id: patientId }} label={t("viewer.backToPatient")} />}
          title={name ?? t(wordOf(kind, "title"))}
          text={name ? t(wordOf(kind, "title")) : ""}
        >
          {mount.all.length === 0 ? (
            <Nothing label={t(wordOf(kind, "nothing"))} />
          ) : (
            <FilmMount patientId={patientId} mount={mount} onStale={() => void query.refetch()} />
          )}
        </ViewerRoom>
      )}
    </Answer>
  );
}

function FilmMount({ patientId, mount, onStale }: { patientId: string; mount: Mount; onStale: () => void }) {
  const controls = useMount(patientId, mount, onStale);
  const drag = useDrag((film, place) => (place === "" ? controls.take(film) : controls.put(film, place)));
  const board = useRef<HTMLDivElement>(null);
  const { rows, columns, places } = mountLayouts[controls.layout];
  return (
    <>
      <MountTools controls={controls} mount={mount} board={board} />
      <div className={styles.scroll}>
        <div
          ref={board}
          className={styles.board}
          style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gridTemplateRows: `repeat(${rows}, 1fr)` }}
        >
          {places.map((place) => (
            <Place key={place.name} place={place} controls={controls} drag={drag} />
          ))}
        </div>
      </div>
      <LooseFilms controls={controls} drag={drag} />
      <InTheAir drag={drag} film={mount.all.find(({ id }) => id === drag.dragged?.id)} />
    </>
  );
}

interface ToolsProps {
  controls: MountControls;
  mount: Mount;
  board: RefObject<HTMLDivElement | null>;
}

function MountTools({ controls, mount, board }: ToolsProps) {
  const t = useTexts("viewer");
  const go = useGo();
  const { held, layout } = controls;
  const film = mount.all.find(({ id }) => id === held);
  const isPlaced = film !== undefined && !controls.loose.includes(film);
  const open = () => film && go("viewer", { study: film.studyId, item: film.id });
  const take = () => film && isPlaced && controls.take(film.id);
  useShortcuts({ Escape: () => controls.hold(null), Delete: take, Backspace: take });
  return (
    <Toolbar>
      <Select
        size="xs"
        aria-label={t("viewer.mount.layout")}
        value={layout}
        onChange={(name) => name && controls.choose(name as MountLayoutName)}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={layoutsOf(mountLayouts[layout].kind).map((name) => ({
          value: name,
          label: t(wordOf(mountLayouts[name].kind, "films"), { count: mountLayouts[name].places.length }),
        }))}
      />
      <ToolGap />
      <Tool label={t("viewer.mount.open")} icon={IconZoomScan} disabled={!film} onPress={open} />
      <Tool label={t("viewer.mount.take")} icon={IconTrash} keys="Delete" disabled={!isPlaced} onPress={take} />
      <ToolGap />
      <ExportMenu
        pane={board}
        name={mountLayouts[layout].kind === "photos" ? "photo-mount" : "film-mount"}
        snapshot={() => ({ scale: Math.max(2, window.devicePixelRatio) })}
      />
      <span className={styles.hint} role="status">
        {t(controls.isSaving ? "viewer.mount.saving" : wordOf(mountLayouts[layout].kind, film ? "putDown" : "help"))}
      </span>
    </Toolbar>
  );
}

interface PlaceProps {
  place: MountPlace;
  controls: MountControls;
  drag: Dragging;
}
function Place({ place, controls, drag }: PlaceProps) {
  const t = useTexts("viewer");
  const film = controls.filmIn(place.name);
  const [jaw, tooth] = place.name.split(".");
  const label = t("viewer.mount.place", {
    jaw: t(`viewer.mount.jaw.${jaw}`),
    tooth: t(`viewer.mount.tooth.${tooth}`),
  });
  const press = () => {
    if (controls.held && controls.held !== film?.id) controls.put(controls.held, place.name);
    else if (film) controls.hold(film.id);
  };
  return (
    <button
      type="button"
      className={`${styles.place} ${film ? (styles.full ?? "") : ""} ${place.upright ? (styles.upright ?? "") : ""}`}
      style={{ gridRow: place.row + 1, gridColumn: place.column + 1 }}
      aria-label={film ? `${label}: ${filmText(film)}` : t("viewer.mount.empty", { place: label })}
      aria-pressed={film !== null && controls.held === film.id}
      data-place={place.name}
      data-over={drag.over === place.name || undefined}
      onClick={press}
      {...(film && drag.source(film.id))}
    >
      {film?.thumbnailUrl ? (
        <img src={film.thumbnailUrl} alt="" data-drawing draggable={false} />
      ) : (
        <span className={styles.name}>{film ? filmText(film) : label}</span>
      )}
    </button>
  );
}

function LooseFilms({ controls, drag }: Omit<PlaceProps, "place">) {
  const t = useTexts("viewer");
  const strip = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const { current } = strip;
    current?.toggleAttribute("data-scrolls", current.scrollWidth > current.clientWidth);
  });
  const { kind } = mountLayouts[controls.layout];
  if (controls.loose.length === 0)
    return (
      <p className={styles.none} data-place="">
        {t(wordOf(kind, "allPlaced"))}
      </p>
    );
  return (
    <ul ref={strip} className={styles.loose} aria-label={t(wordOf(kind, "loose"))} data-place="">
      {controls.loose.map((film) => (
        <li key={film.id}>
          <button
            type="button"
            className={styles.film}
            aria-label={filmText(film)}
            aria-pressed={controls.held === film.id}
            onClick={() => controls.hold(film.id)}
            {...drag.source(film.id)}
          >
            {film.thumbnailUrl && <img src={film.thumbnailUrl} alt="" draggable={false} />}
            <span className={styles.name}>{showDay(film.takenAt ?? film.createdAt)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The image under the pointer while it is dragged. */
function InTheAir({ drag: { dragged }, film }: { drag: Dragging; film: Film | undefined }) {
  if (!dragged || !film?.thumbnailUrl) return null;
  return <img src={film.thumbnailUrl} alt="" className={styles.air} style={{ left: dragged.x, top: dragged.y }} />;
}

const filmText = ({ name, takenAt, createdAt }: Film): string =>
  [showDay(takenAt ?? createdAt), name].filter(Boolean).join(" · ");
