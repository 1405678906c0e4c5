import { useRef, useState } from "react";
import { mountLayouts, type MountLayoutName } from "@arcada/contract/study/mount";
import { mountCalls, type Film, type Mount } from "@arcada/contract/study/mount.calls";
import { ask } from "../../kernel/ask.ts";

type Films = Readonly<Record<string, string>>;

/** Radiographs in their places, saved as soon as one is moved. */
export interface MountControls {
  layout: MountLayoutName;
  filmIn: (place: string) => Film | null;
  /** Radiographs that are in no place of this mount. */
  loose: readonly Film[];
  /** The selected radiograph, to be put into a place. */
  held: string | null;
  hold: (film: string | null) => void;
  /** Puts a radiograph into a place; the one that was there moves to its former place. */
  put: (film: string, place: string) => void;
  take: (film: string) => void;
  choose: (layout: MountLayoutName) => void;
  isSaving: boolean;
}

/** `onStale` is called when another user has saved in the meantime, or saving failed: the mount must be read again. */
export function useMount(patientId: string, mount: Mount, onStale: () => void): MountControls {
  const [{ version, layout, films }, set] = useState(mount);
  const [held, hold] = useState<string | null>(null);
  const [saves, setSaves] = useState(0);
  const [seen, see] = useState(mount);
  // A fast user puts down the next radiograph before the last save is done: each save is based on the one before.
  const under = useRef<Promise<number | null> | null>(null);
  // A mount saved here is returned unchanged, and one saved by others replaces it without a remount: a user who works
  // by keys keeps the focus.
  if (mount !== seen && saves === 0) {
    see(mount);
    if (mount.version > version) set(mount);
  }
  const byId = new Map(mount.all.map((film) => [film.id, film]));
  const save = async (next: { layout: MountLayoutName; films: Films }) => {
    hold(null);
    set((now) => ({ ...now, ...next }));
    setSaves((count) => count + 1);
    const saving = (under.current ?? Promise.resolve(version)).then(async (from) => {
      if (from === null) return null;
      // `ask` has shown the error already.
      const saved = await ask(mountCalls.saveMount, { patientId, version: from, ...next }).catch(() => null);
      return saved && saved.version;
    });
    under.current = saving;
    const saved = await saving;
    if (under.current === saving) under.current = null;
    setSaves((count) => count - 1);
    if (saved !== null) set((now) => ({ ...now, version: saved }));
    else {
      set(mount);
      onStale();
    }
  };
  const placed = new Set(Object.values(films));
  return {
    layout,
    filmIn: (place) => byId.get(films[place] ?? "") ?? null,
    loose: mount.all.filter(({ id }) => !placed.has(id)),
    held,
    hold: (film) => hold((now) => (now === film ? null : film)),
    put: (film, place) => void save({ layout, films: moved(films, film, place) }),
    take: (film) => void save({ layout, films: without(films, film) }),
    choose: (next) => {
      const known = new Set<string>(mountLayouts[next].places.map(({ name }) => name));
      const kept = Object.entries(films).filter(([place]) => known.has(place));
      void save({ layout: next, films: Object.fromEntries(kept) });
    },
    isSaving: saves > 0,
  };
}

const without = (films: Films, film: string): Record<string, string> =>
  Object.fromEntries(Object.entries(films).filter(([, id]) => id !== film));

function moved(films: Films, film: string, place: string): Record<string, string> {
  const was = Object.keys(films).find((name) => films[name] === film);
  const there = films[place];
  const rest = without(films, film);
  return { ...rest, [place]: film, ...(there && was && there !== film && { [was]: there }) };
}
