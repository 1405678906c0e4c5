import type { Device, DeviceEvent } from "@arcada/contract/device/device.calls";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { secret } from "../platform/runtime/services.ts";
import { openActions } from "./device.allowed-steps.ts";
import type { DeviceRow, DeviceEventRow } from "./device.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

type DeviceReader = Pick<AuthenticatedContext["principal"], "iid" | "role">;

/** A device as this reader sees it: for a clinic that had it, it is unbound, even if another institution has it now. */
export function toDevice(row: DeviceRow, principal: DeviceReader): Device {
  const { iid } = principal;
  const basicFields = {
    ...pickColumns(row, "id", "product", "serial_number", "model", "firmware", "version"),
  };
  if (iid !== null && row.institution_id !== iid)
    return { ...basicFields, ...hiddenFields, state: "unbound", boundAt: row.had_from, unboundAt: row.had_until };
  const isVendor = iid === null && principal.role !== "afterSalesMember";
  return {
    ...basicFields,
    ...pickColumns(
      row,
      "software_version",
      "name",
      "state",
      "seen_at",
      "waiting",
      "said_at",
      "bound_at",
      "unbound_at",
      "key_begins",
    ),
    institution:
      row.institution_id === null
        ? null
        : { id: row.institution_id, name: row.house_name ?? "", number: row.house_number ?? "" },
    clinicId: row.clinic_id,
    lock:
      row.locked_at === null
        ? null
        : { side: row.lock_side!, code: row.lock_code, reason: row.lock_reason ?? "", at: row.locked_at },
    codeState: isVendor ? codeState(row) : null,
    codeExpiresAt: isVendor ? row.code_expires_at : null,
    actions: openActions(row, principal),
  };
}

const hiddenFields = {
  softwareVersion: null,
  name: null,
  seenAt: null,
  waiting: null,
  saidAt: null,
  keyBegins: null,
  institution: null,
  clinicId: null,
  lock: null,
  codeState: null,
  codeExpiresAt: null,
  actions: [],
};

function codeState(row: DeviceRow): Device["codeState"] {
  if (row.code_hash === null) return null;
  if (row.code_used_at !== null) return "used";
  return row.is_expired ? "expired" : "open";
}

export const toDeviceEvent = (row: DeviceEventRow, { iid }: DeviceReader): DeviceEvent => ({
  ...pickColumns(row, "id", "action", "side", "code", "reason", "work_order_id"),
  time: row.at,
  to: row.to_state,
  who: iid === null || row.side === "clinic" ? row.who : null,
  institution: row.house,
  consent: row.consent && iid === null ? { name: row.consent.name, url: buildConsentUrl(row.consent) } : null,
});

const buildConsentUrl = ({ id, name, sha256 }: NonNullable<DeviceEventRow["consent"]>): string =>
  createFileUrl(secret(), {
    area: "converted",
    iid: id,
    sha256,
    name,
    type: "application/octet-stream",
    download: true,
  });
