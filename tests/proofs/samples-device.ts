import { none, unknown, type Sample } from "./sample.ts";

/** Inputs for the calls of devices. */
export const deviceSamples = {
  "device.list": none(),
  "device.detail": none({ id: unknown }),
  "device.kinds": none(),
  "device.register": none({ product: "", serialNumber: "1", model: "1" }),
  "device.registerList": none({ text: "" }),
  "device.newCode": none({ id: unknown }),
  "device.bind": none({ serialNumber: "", activationCode: "x", name: "x" }),
  "device.step": none({ id: unknown, action: "lock", version: 0, reason: "x" }),
  "device.consent": none({ id: unknown, name: "consent.pdf", bytes: 100 }),
  "device.hello": none(),
  "device.worklist": none(),
  "study.send": none({ uploads: [unknown] }),
} satisfies Record<string, Sample>;
