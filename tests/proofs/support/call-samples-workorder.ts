import type { CallName } from "@arcada/testing/setup/test-server";
import { withoutRecord, unknownId, type CallSample } from "./call-sample.ts";

export const workorderCallSamples = {
  "workorder.list": withoutRecord(),
  "workorder.detail": withoutRecord({ id: unknownId }),
  "workorder.choices": withoutRecord({ search: "x" }),
  "workorder.create": withoutRecord({
    type: "repair",
    deviceId: unknownId,
    description: "It makes no picture",
    contact: "A",
    contactPhone: "1",
  }),
  "workorder.step": withoutRecord({ id: unknownId, action: "start", version: 0 }),
  "workorder.assign": withoutRecord({ orders: [{ id: unknownId, version: 0 }], personId: unknownId }),
  "workorder.planned": withoutRecord({ before: "2026-12-01T00:00:00Z" }),
  "workorder.export": withoutRecord({ state: "new" }),
  "workorder.calendar": withoutRecord({ id: unknownId }),
  "workorder.plan": withoutRecord({ id: unknownId, version: 0, plannedAt: "2026-12-01T09:00:00Z" }),
  "workorder.note": withoutRecord({ id: unknownId, text: "Looked at", isInternal: true }),
  "workorder.saveFinish": withoutRecord({ id: unknownId, version: 0, serialNumber: "", description: "", parts: [] }),
  "workorder.addFile": withoutRecord({ id: unknownId, role: "picture", name: "a.jpg", bytes: 1 }),
  "workorder.removeFile": withoutRecord({ id: unknownId, fileId: unknownId }),
  "workorder.paper": withoutRecord({ id: unknownId }),
} satisfies Partial<Record<CallName, CallSample>>;
