import type { Mark } from "@arcada/contract/study/mark";
import { useMe } from "../../../kernel/session.ts";
import type { Marks } from "../../marks/use-marks.ts";
import type { PinStore } from "./pin-store.ts";

/** Comments stored as annotations of a study, with author and time. */
export function useMarkPins(marks: Marks): PinStore {
  const me = useMe();
  const own = marks.list.filter(({ tool }) => tool === "pin");
  const signed = (): Mark["settings"] => {
    const author = me?.nickName || me?.userName;
    return { at: new Date().toISOString(), ...(author && { author: author.slice(0, 200) }) };
  };
  return {
    list: own.map(({ id, instanceId, points, text, settings }, at) => ({
      id,
      number: at + 1,
      model: instanceId ?? "",
      point: points[0] ?? [],
      text: text ?? "",
      author: words(settings?.["author"]),
      at: words(settings?.["at"]),
      isSettled: false,
      replies: [],
      mayChange: true,
      mayRemove: true,
    })),
    mayAdd: true,
    put: ({ id, model, point, text }) => {
      const old = own.find((mark) => mark.id === id);
      // Moving a comment does not change its author.
      const settings = old && old.text === text ? old.settings : signed();
      const mark = { tool: "pin", instanceId: model, points: [[...point]], plane: null, text, settings } as const;
      return Promise.resolve(marks.put({ ...mark, points: [[...point]], ...(id !== null && { id }) }));
    },
    remove: (id) => marks.remove(id),
  };
}

const words = (value: unknown): string | null => (typeof value === "string" ? value : null);
