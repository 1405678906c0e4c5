import { useEffect, useRef, useState } from "react";
import { photoViews } from "@arcada/contract/study/mount-layouts";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import { changePhoto } from "./photo-canvas.ts";
import type { PhotoChange } from "./photo-canvas.ts";

export interface TakenPhoto {
  blob: Blob;
  /** The address of the picture in this page. */
  url: string;
}
export type TakenPhotos = Partial<Record<PhotoView, TakenPhoto>>;

/** The photographs of a series before they are saved: they exist in this page alone. */
export interface SeriesInProgress {
  photos: TakenPhotos;
  current: PhotoView;
  /** Null while the current view waits for the camera. */
  shown: TakenPhoto | null;
  count: number;
  go: (view: PhotoView) => void;
  /** Goes to the next view that has no photograph; after the last one it stays. */
  next: () => void;
  add: (blob: Blob) => void;
  retake: () => void;
  change: (change: PhotoChange) => Promise<void>;
}

export function useTakenPhotos(): SeriesInProgress {
  const [photos, setPhotos] = useState<TakenPhotos>({});
  const [current, setCurrent] = useState<PhotoView>(photoViews[0]);
  const latest = useRef(photos);
  useEffect(() => void (latest.current = photos));
  useEffect(
    () => () => {
      for (const photo of Object.values(latest.current)) URL.revokeObjectURL(photo.url);
    },
    [],
  );
  const put = (view: PhotoView, blob: Blob | null) =>
    setPhotos(({ [view]: before, ...rest }) => {
      if (before) URL.revokeObjectURL(before.url);
      return blob ? { ...rest, [view]: { blob, url: URL.createObjectURL(blob) } } : rest;
    });
  const shown = photos[current] ?? null;
  return {
    photos,
    current,
    shown,
    count: Object.keys(photos).length,
    go: setCurrent,
    next: () => setCurrent(findNextView(current, photos)),
    add: (blob) => {
      put(current, blob);
      setCurrent(findNextView(current, photos));
    },
    retake: () => put(current, null),
    change: async (change) => {
      if (shown) put(current, await changePhoto(shown.blob, change));
    },
  };
}

/** Returns the next view without a photograph, around the end; the same view if no other is left. */
export function findNextView(current: PhotoView, photos: Partial<Record<PhotoView, unknown>>): PhotoView {
  const at = photoViews.indexOf(current);
  const order = [...photoViews.slice(at + 1), ...photoViews.slice(0, at)];
  return order.find((view) => !photos[view]) ?? current;
}
