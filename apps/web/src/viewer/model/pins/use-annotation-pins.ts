import type { Annotation } from "@arcada/contract/study/annotation";
import { useCurrentUser } from "../../../session/current-user.ts";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import type { PinStore } from "./pin-store.ts";

/** Comments stored as annotations of a study, with author and time. */
export function useAnnotationPins(annotations: AnnotationStore): PinStore {
  const me = useCurrentUser();
  const own = annotations.list.filter(({ tool }) => tool === "pin");
  const buildSignature = (): Annotation["settings"] => {
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
      author: toText(settings?.["author"]),
      at: toText(settings?.["at"]),
      isSettled: false,
      replies: [],
      mayChange: true,
      mayRemove: true,
    })),
    mayAdd: true,
    put: ({ id, model, point, text }) => {
      const old = own.find((annotation) => annotation.id === id);
      // Moving a comment does not change its author.
      const settings = old && old.text === text ? old.settings : buildSignature();
      const annotation = { tool: "pin", instanceId: model, points: [[...point]], plane: null, text, settings } as const;
      return Promise.resolve(annotations.put({ ...annotation, points: [[...point]], ...(id !== null && { id }) }));
    },
    remove: (id) => annotations.remove(id),
  };
}

const toText = (value: unknown): string | null => (typeof value === "string" ? value : null);
