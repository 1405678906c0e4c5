import type { Input } from "@arcada/contract/kernel/call";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderType } from "@arcada/contract/workorder/workorder.rules";

export interface WorkorderValues {
  type: WorkorderType;
  clinicId: string;
  deviceId: string;
  isNewDevice: boolean;
  product: string;
  model: string;
  serialNumber: string;
  description: string;
  contact: string;
  contactPhone: string;
  alternateContact: string;
  alternatePhone: string;
  trackingNumber: string;
  toClinicId: string;
  toAddress: string;
  assigneeId: string;
  alternateId: string;
}
export const emptyValues: WorkorderValues = {
  type: "repair",
  clinicId: "",
  deviceId: "",
  isNewDevice: false,
  product: "",
  model: "",
  serialNumber: "",
  description: "",
  contact: "",
  contactPhone: "",
  alternateContact: "",
  alternatePhone: "",
  trackingNumber: "",
  toClinicId: "",
  toAddress: "",
  assigneeId: "",
  alternateId: "",
};

/** Returns the input without empty fields and without fields of another type. */
export function toInput({ type, isNewDevice, ...values }: WorkorderValues): Input<typeof workorderCalls.create> {
  const unused: readonly (keyof WorkorderValues)[] = [
    ...(isNewDevice && type === "installation"
      ? (["deviceId"] as const)
      : (["product", "model", "serialNumber"] as const)),
    ...(type === "moveMachine" ? [] : (["toClinicId", "toAddress"] as const)),
  ];
  const filled = Object.entries(values).filter(
    ([name, value]) => value !== "" && !unused.includes(name as keyof WorkorderValues),
  );
  const needed = { description: values.description, contact: values.contact, contactPhone: values.contactPhone };
  return { ...needed, ...Object.fromEntries(filled), type };
}
