import { withoutRecord, unknownId, type CallSample } from "./call-sample.ts";

/** Inputs for the calls of devices. */
export const deviceCallSamples = {
  "device.list": withoutRecord(),
  "device.detail": withoutRecord({ id: unknownId }),
  "device.kinds": withoutRecord(),
  "device.register": withoutRecord({ product: "", serialNumber: "1", model: "1" }),
  "device.registerList": withoutRecord({ text: "" }),
  "device.newCode": withoutRecord({ id: unknownId }),
  "device.bind": withoutRecord({ serialNumber: "", activationCode: "x", name: "x" }),
  "device.step": withoutRecord({ id: unknownId, action: "lock", version: 0, reason: "x" }),
  "device.consent": withoutRecord({ id: unknownId, name: "consent.pdf", bytes: 100 }),
  "device.hello": withoutRecord(),
  "device.worklist": withoutRecord(),
  "study.send": withoutRecord({ uploads: [unknownId] }),
} satisfies Record<string, CallSample>;
