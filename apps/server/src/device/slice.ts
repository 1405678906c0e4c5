import { serveConsentUploads } from "./unbind-consent-upload.ts";
import { findActiveDevices } from "./authenticate-devices.ts";
import { countReports } from "./device.store.ts";
import { deviceRoutes, deviceSearch } from "./device.routes.ts";
import {
  moveDevicesToClinic,
  moveServicedDevice,
  returnDevicesToClinic,
  setDeviceClinic,
} from "./device.subscribers.ts";
import { clinicsMerged, clinicsSeparated, deviceInstalled } from "../clinic/clinic.events.ts";
import { workorderAccepted } from "../workorder/workorder.events.ts";
import { on } from "../platform/events/events.ts";
import type { Gauge, GaugeServices } from "../platform/telemetry/gauges.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const deviceSlice: Slice = {
  name: "device",
  tables: ["device", "device_consent", "device_event", "device_try"],
  reads: ["clinic", "hl7_order", "institution", "patient", "upload", "users", "work_order"],
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
  search: deviceSearch,
  serve: serveConsentUploads,
  validHolders: findActiveDevices,
  gauges: deviceGauges,
  subscribers: () => [
    on(deviceInstalled, setDeviceClinic),
    on(clinicsMerged, moveDevicesToClinic),
    on(clinicsSeparated, returnDevicesToClinic),
    on(workorderAccepted, moveServicedDevice),
  ],
};

function deviceGauges({ database }: GaugeServices): readonly Gauge[] {
  return [
    {
      metrics: {
        arcada_device_waiting_items: {
          help: "Objects that wait in gateways and devices, as these reported within the last 15 minutes",
        },
        arcada_devices_silent: {
          help: "Bound devices and gateways that reported within two weeks, but not within the last 15 minutes",
        },
      },
      keepMs: 10_000,
      read: async () => {
        const { waiting, silent } = await database.asSystem(countReports);
        return { arcada_device_waiting_items: [{ value: waiting }], arcada_devices_silent: [{ value: silent }] };
      },
    },
  ];
}
