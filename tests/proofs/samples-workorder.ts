import type { CallName } from "../world.ts";
import { none, unknown, type Sample } from "./sample.ts";

export const workorderSamples = {
  "workorder.list": none(),
  "workorder.detail": none({ id: unknown }),
  "workorder.choices": none({ search: "x" }),
  "workorder.create": none({
    type: "repair",
    deviceId: unknown,
    description: "It makes no picture",
    contact: "A",
    contactPhone: "1",
  }),
  "workorder.step": none({ id: unknown, action: "start", version: 0 }),
  "workorder.assign": none({ orders: [{ id: unknown, version: 0 }], personId: unknown }),
  "workorder.note": none({ id: unknown, text: "Looked at", isInternal: true }),
  "workorder.saveFinish": none({ id: unknown, version: 0, serialNumber: "", description: "", parts: [] }),
  "workorder.addFile": none({ id: unknown, role: "picture", name: "a.jpg", bytes: 1 }),
  "workorder.removeFile": none({ id: unknown, fileId: unknown }),
  "workorder.paper": none({ id: unknown }),
} satisfies Partial<Record<CallName, Sample>>;
