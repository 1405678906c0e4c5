import { serveConsentUploads } from "./consent-upload.ts";
import { findActiveDevices } from "./device-key.ts";
import { deviceRoutes } from "./device.routes.ts";
import {
  moveDevicesToClinic,
  moveServicedDevice,
  returnDevicesToClinic,
  setDeviceClinic,
} from "./device.subscribers.ts";
import { clinicsMerged, clinicsSeparated, deviceInstalled } from "../clinic/clinic.events.ts";
import { workorderAccepted } from "../workorder/workorder.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const deviceSlice: Slice = {
  name: "device",
  tables: ["device", "device_consent", "device_event", "device_try"],
  reads: ["clinic", "institution", "patient", "upload", "users", "work_order"],
  retention: [
    {
      data: "failed activations",
      tables: ["device_try"],
      period: "1 day",
      from: "the attempt; deleted with a later one of the same account",
      enforcedIn: "device/device.store.ts",
    },
  ],
  routes: deviceRoutes,
  serve: serveConsentUploads,
  validHolders: findActiveDevices,
  subscribers: () => [
    on(deviceInstalled, setDeviceClinic),
    on(clinicsMerged, moveDevicesToClinic),
    on(clinicsSeparated, returnDevicesToClinic),
    on(workorderAccepted, moveServicedDevice),
  ],
};
