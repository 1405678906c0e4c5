import type { Order } from "@arcada/contract/order/order.calls";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import type { OrderPin } from "@arcada/contract/order/message-reading-and-pins.calls";
import { ask } from "../../data/ask.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import type { SceneFile } from "./model-sets.ts";

/** Comments at points of models, in the form that a scene of models accepts. */
export interface ScenePins {
  list: readonly {
    id: string;
    number: number;
    model: string;
    point: readonly number[];
    text: string;
    author: string | null;
    at: string | null;
    isSettled: boolean;
    replies: readonly { id: string; who: string; at: string; text: string }[];
    mayChange: boolean;
    mayRemove: boolean;
  }[];
  mayAdd: boolean;
  put: (pin: { id: string | null; model: string; point: readonly number[]; text: string }) => Promise<string | null>;
  remove: (id: string) => void;
  reply: (id: string, text: string) => Promise<boolean>;
  settle: (id: string, settled: boolean) => void;
}

export interface OrderPins {
  /** Returns the number of unsettled comments at these files. */
  countUnresolved: (files: readonly Pick<SceneFile, "sha256">[]) => number;
  /** Returns the unsettled comments that the reader's side has set at these models. */
  listOwnOpen: (models: readonly Pick<SceneFile, "sha256">[]) => OrderPin[];
  /** Returns the comments of these models. Identical bytes are the same surface, whatever the name of the file. */
  forModels: (models: readonly SceneFile[]) => ScenePins;
}

/** The comments of both sides at points of the order's models. */
export function useOrderPins(order: Order, isOpen: boolean): OrderPins {
  const { id } = order;
  const { data } = useCall(messageCalls.pins, { id }, { enabled: isOpen });
  const add = useCommand(messageCalls.addPin);
  const answer = useCommand(messageCalls.answerPin);
  const list = data?.list ?? [];
  return {
    countUnresolved: (files) =>
      list.filter(({ settled, sha256 }) => !settled && files.some((file) => file.sha256 === sha256)).length,
    listOwnOpen: (models) =>
      list.filter(({ mine, settled, sha256 }) => mine && !settled && models.some((model) => model.sha256 === sha256)),
    forModels: (models) => ({
      list: list.flatMap((pin) => toScenePin(pin, models) ?? []),
      mayAdd: data?.mayWrite ?? false,
      put: async ({ model, point: [x = 0, y = 0, z = 0], text }) =>
        (await add.run({ id, file: model, point: [x, y, z], text }))?.data.id ?? null,
      remove: (pin) => void ask(messageCalls.removePin, { id, pin }).catch(() => {}),
      reply: async (pin, text) => (await answer.run({ id, pin, text })) !== null,
      settle: (pin, settled) => void ask(messageCalls.settlePin, { id, pin, settled }).catch(() => {}),
    }),
  };
}

function toScenePin(pin: OrderPin, models: readonly SceneFile[]): ScenePins["list"][number] | null {
  const model = models.find(({ id }) => id === pin.fileId) ?? models.find(({ sha256 }) => sha256 === pin.sha256);
  if (model?.sha256 !== pin.sha256) return null;
  return {
    ...pin,
    model: model.id,
    author: pin.who,
    at: pin.time,
    isSettled: pin.settled !== null,
    replies: pin.replies.map(({ time, ...reply }) => ({ ...reply, at: time })),
    mayChange: false,
  };
}
