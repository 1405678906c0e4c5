import { useRef, useState } from "react";
import { mountLayouts, type MountLayoutName } from "@arcada/contract/study/mount-layouts";
import { mountCalls, type MountImage, type SeriesMount } from "@arcada/contract/study/series-mount.calls";
import { ask } from "../../data/ask.ts";

type ImagePlacement = Readonly<Record<string, string>>;

/** Radiographs in their mount positions, saved as soon as one is moved. */
export interface SeriesMountControls {
  layout: MountLayoutName;
  imageAt: (place: string) => MountImage | null;
  /** Radiographs that are in no place of this mount. */
  unplaced: readonly MountImage[];
  /** The selected radiograph, to be put into a position. */
  selected: string | null;
  select: (image: string | null) => void;
  /** Puts a radiograph into a position; the one that was there moves to its former position. */
  put: (image: string, place: string) => void;
  remove: (image: string) => void;
  chooseLayout: (layout: MountLayoutName) => void;
  /** Quarter turns clockwise with which a radiograph is shown. */
  turnsOf: (image: string) => number;
  /** Shows radiographs with so many quarter turns, each by its id. */
  turn: (turns: Readonly<Record<string, number>>) => void;
  isSaving: boolean;
}

/** `onStale` is called when another user has saved in the meantime, or saving failed: the mount must be read again. */
export function useSeriesMount(patientId: string, mount: SeriesMount, onStale: () => void): SeriesMountControls {
  const [{ version, layout, films: placement, turns }, setState] = useState(mount);
  const [selected, setSelected] = useState<string | null>(null);
  const [pendingSaves, setPendingSaves] = useState(0);
  const [seenMount, setSeenMount] = useState(mount);
  // A fast user puts down the next radiograph before the last save is done: each save is based on the one before.
  const lastSave = useRef<Promise<number | null> | null>(null);
  // A mount saved here is returned unchanged, and one saved by others replaces it without a remount: a user who works
  // by keys keeps the focus.
  if (mount !== seenMount && pendingSaves === 0) {
    setSeenMount(mount);
    if (mount.version > version) setState(mount);
  }
  const byId = new Map(mount.all.map((image) => [image.id, image]));
  const save = async (next: { layout: MountLayoutName; films: ImagePlacement; turns?: Record<string, number> }) => {
    if (!next.turns) setSelected(null);
    setState((now) => ({ ...now, ...next }));
    setPendingSaves((count) => count + 1);
    const saving = (lastSave.current ?? Promise.resolve(version)).then(async (from) => {
      if (from === null) return null;
      // `ask` has shown the error already.
      const saved = await ask(mountCalls.saveMount, { patientId, version: from, ...next }).catch(() => null);
      return saved && saved.version;
    });
    lastSave.current = saving;
    const saved = await saving;
    if (lastSave.current === saving) lastSave.current = null;
    setPendingSaves((count) => count - 1);
    if (saved !== null) setState((now) => ({ ...now, version: saved }));
    else {
      setState(mount);
      onStale();
    }
  };
  const placed = new Set(Object.values(placement));
  return {
    layout,
    imageAt: (place) => byId.get(placement[place] ?? "") ?? null,
    unplaced: mount.all.filter(({ id }) => !placed.has(id)),
    selected,
    select: (image) => setSelected((now) => (now === image ? null : image)),
    put: (image, place) => void save({ layout, films: placeImage(placement, image, place) }),
    remove: (image) => void save({ layout, films: withoutImage(placement, image) }),
    chooseLayout: (next) => {
      const known = new Set<string>(mountLayouts[next].places.map(({ name }) => name));
      const remaining = Object.entries(placement).filter(([place]) => known.has(place));
      void save({ layout: next, films: Object.fromEntries(remaining) });
    },
    turnsOf: (image) => turns[image] ?? 0,
    turn: (changed) => {
      const all = Object.entries({ ...turns, ...changed }).map(([image, by]) => [image, by % 4] as const);
      void save({ layout, films: placement, turns: Object.fromEntries(all.filter(([, by]) => by !== 0)) });
    },
    isSaving: pendingSaves > 0,
  };
}

const withoutImage = (placement: ImagePlacement, image: string): Record<string, string> =>
  Object.fromEntries(Object.entries(placement).filter(([, id]) => id !== image));

function placeImage(placement: ImagePlacement, image: string, place: string): Record<string, string> {
  const previousPlace = Object.keys(placement).find((name) => placement[name] === image);
  const displaced = placement[place];
  const rest = withoutImage(placement, image);
  return {
    ...rest,
    [place]: image,
    ...(displaced && previousPlace && displaced !== image && { [previousPlace]: displaced }),
  };
}
