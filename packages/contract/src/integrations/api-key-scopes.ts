import { everyCall } from "../calls.ts";
import type { calls, Slice } from "../calls.ts";
import type { Call } from "../kernel/call.ts";
import { deviceCalls } from "../device/device.calls.ts";
import type { DeviceScope } from "../device/device.rules.ts";
import type { KeyScope } from "./integrations.rules.ts";

type CallName = { [S in Slice]: `${S}.${keyof (typeof calls)[S] & string}` }[Slice];

/**
 * The calls that a key with a scope may make. Calls that are not listed are for people: their accounts, members,
 * settings, keys themselves.
 */
export const scopeCalls: Record<KeyScope, readonly CallName[]> = {
  "orders.read": [
    "order.list",
    "order.counts",
    "order.detail",
    "order.prescription",
    "order.rx",
    "order.pins",
    "order.download",
  ],
  "orders.write": [
    "order.save",
    "order.step",
    "order.openRevision",
    "order.message",
    "order.copy",
    "order.saveChild",
    "order.remake",
  ],
  "patients.read": ["patient.list", "patient.detail", "patient.timeline"],
  "patients.write": ["patient.create", "patient.update"],
  // Visits, charts, findings and reports are served as FHIR alone.
  "records.read": [],
  "studies.read": [
    "study.list",
    "study.detail",
    "study.job",
    "study.marks",
    "study.conversion",
    "study.convert",
    "study.download",
    "study.downloadState",
  ],
  "studies.write": ["study.open", "study.cancelJob", "study.attach"],
  // Served alongside the calls, under /dicomweb.
  "dicomweb.read": [],
  "dicomweb.write": [],
  "organisation.read": ["institution.detail", "relation.list"],
  // Served alongside the calls: FHIR Bulk Data.
  "organisation.export": [],
  launch: ["launch.code"],
  "patients.launch": ["practice.issueCode"],
  // Served alongside the calls, under /scim/v2.
  "members.provision": [],
  "lab.agent": ["agent.orders", "agent.fetch", "agent.submit", "agent.report", "agent.program"],
};

const scopeOfCall = new Map<Call, KeyScope>();
const callsByName = new Map(everyCall().map(({ name, row }) => [name, row]));
for (const [scope, names] of Object.entries(scopeCalls) as [KeyScope, readonly CallName[]][])
  for (const name of names) scopeOfCall.set(callsByName.get(name)!, scope);

/** The scope that a key needs for a call, a program's or a device's; undefined: no key may make it. */
export const findScope = (call: Call): KeyScope | DeviceScope | undefined => {
  if (call.access !== "device") return scopeOfCall.get(call);
  return call === deviceCalls.hello ? "device.hello" : "device.work";
};
