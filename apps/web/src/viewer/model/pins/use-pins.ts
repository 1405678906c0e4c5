import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { atRest, inverted, moved, type Movement } from "@arcada/imaging/surface/movement";
import { vectorOf, type Vector } from "@arcada/imaging/view/vector";
import { useMe } from "../../../kernel/session.ts";
import type { Marks } from "../../marks/use-marks.ts";
import type { Picked } from "../picking.ts";

export interface Pin {
  id: string;
  /** In the order in which they were set, from 1. */
  number: number;
  model: string;
  /** In the scene's space, mm. */
  point: Vector;
  text: string;
  author: string | null;
  /** ISO 8601. */
  at: string | null;
}

export interface Pins {
  list: readonly Pin[];
  chosen: string | null;
  choose: (id: string | null) => void;
  /** The pin whose words are being written: a new one without an id. */
  draft: { id: string | null; place: Picked; text: string } | null;
  begin: (place: Picked) => void;
  edit: (id: string) => void;
  /** Null leaves it as it was. */
  answer: (text: string | null) => void;
  move: (id: string, place: Picked | null) => void;
  remove: (id: string) => void;
}

/** Comments at places of the models, with who wrote them and when. */
export function usePins(marks: Marks, ids: readonly string[], poses: ReadonlyMap<string, Movement>): Pins {
  const me = useMe();
  const [chosen, choose] = useState<string | null>(null);
  const [draft, setDraft] = useState<Pins["draft"]>(null);
  const poseOf = (id: string) => poses.get(id) ?? atRest;
  const own = marks.list.filter(
    ({ tool, instanceId }) => tool === "pin" && instanceId !== null && ids.includes(instanceId),
  );
  const list = own.map(({ id, instanceId, points, text, settings }, at): Pin => {
    const model = instanceId ?? "";
    const point = moved(poseOf(model), vectorOf(points[0] ?? []));
    const { author, at: time } = settings ?? {};
    return { id, number: at + 1, model, point, text: text ?? "", author: words(author), at: words(time) };
  });
  const put = (id: string | null, { id: model, point }: Picked, text: string, settings: Mark["settings"]) =>
    marks.put({
      ...(id !== null && { id }),
      tool: "pin",
      instanceId: model,
      points: [[...moved(inverted(poseOf(model)), point)]],
      plane: null,
      text,
      settings,
    });
  const signed = () => {
    const author = me?.nickName || me?.userName;
    return { at: new Date().toISOString(), ...(author && { author: author.slice(0, 200) }) };
  };
  const placeOf = ({ model, point }: Pin): Picked => ({ id: model, point });
  return {
    list,
    chosen,
    choose,
    draft,
    begin: (place) => setDraft({ id: null, place, text: "" }),
    edit: (id) => {
      const pin = list.find((other) => other.id === id);
      if (pin) setDraft({ id, place: placeOf(pin), text: pin.text });
    },
    answer: (text) => {
      if (draft && text) choose(put(draft.id, draft.place, text.slice(0, 500), signed()));
      setDraft(null);
    },
    move: (id, place) => {
      const pin = own.find((other) => other.id === id);
      if (pin && place) put(id, place, pin.text ?? "", pin.settings);
    },
    remove: (id) => {
      marks.remove(id);
      choose(null);
    },
  };
}

const words = (value: unknown): string | null => (typeof value === "string" ? value : null);
