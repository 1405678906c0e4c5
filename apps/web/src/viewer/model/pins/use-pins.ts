import { useState } from "react";
import {
  identityTransform,
  invertTransform,
  transformPoint,
  type RigidTransform,
} from "@arcada/imaging/geometry/rigid-transform";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { PickedPoint } from "../pick-point.ts";
import type { StoredPin, PinStore } from "./pin-store.ts";

export interface Pin extends Omit<StoredPin, "point"> {
  /** In the scene's space, mm. */
  point: Vector;
}

export interface Pins {
  list: readonly Pin[];
  /** Number of resolved comments; the list shows them only on request. */
  settled: number;
  showsSettled: boolean;
  showSettled: (shows: boolean) => void;
  chosen: string | null;
  choose: (id: string | null) => void;
  mayAdd: boolean;
  /** The comment that is being written: a new one without an id. */
  draft: { id: string | null; place: PickedPoint; text: string } | null;
  begin: (place: PickedPoint) => void;
  edit: (id: string) => void;
  /** Null leaves it unchanged. */
  submitDraft: (text: string | null) => void;
  move: (id: string, place: PickedPoint | null) => void;
  remove: (id: string) => void;
  reply: PinStore["reply"];
  settle: PinStore["settle"];
}

/** Comments on points of the models of a scene. */
export function usePins(store: PinStore, ids: readonly string[], poses: ReadonlyMap<string, RigidTransform>): Pins {
  const [chosen, choose] = useState<string | null>(null);
  const [draft, setDraft] = useState<Pins["draft"]>(null);
  const [showsSettled, showSettled] = useState(false);
  const getPose = (id: string) => poses.get(id) ?? identityTransform;
  const all = store.list
    .filter(({ model }) => ids.includes(model))
    .map((pin): Pin => ({ ...pin, point: transformPoint(getPose(pin.model), toVector(pin.point)) }));
  const list = all.filter(({ id, isSettled }) => showsSettled || !isSettled || id === chosen);
  const put = (id: string | null, { id: model, point }: PickedPoint, text: string) =>
    store.put({ id, model, point: transformPoint(invertTransform(getPose(model)), point), text });
  return {
    list,
    settled: all.filter(({ isSettled }) => isSettled).length,
    showsSettled,
    showSettled,
    chosen,
    choose,
    mayAdd: store.mayAdd,
    draft,
    begin: (place) => setDraft(store.mayAdd ? { id: null, place, text: "" } : null),
    edit: (id) => {
      const pin = list.find((other) => other.id === id);
      if (pin?.mayChange) setDraft({ id, place: { id: pin.model, point: pin.point }, text: pin.text });
    },
    submitDraft: (text) => {
      if (!draft || !text) return setDraft(null);
      void put(draft.id, draft.place, text.slice(0, 500)).then((id) => {
        // A refused comment stays in the form, to be sent again.
        if (id === null) return;
        choose(id);
        setDraft(null);
      });
    },
    move: (id, place) => {
      const pin = list.find((other) => other.id === id);
      if (pin?.mayChange && place) void put(id, place, pin.text);
    },
    remove: (id) => {
      store.remove(id);
      choose(null);
    },
    reply: store.reply,
    settle: store.settle,
  };
}
