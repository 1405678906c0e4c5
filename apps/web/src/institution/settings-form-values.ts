import type { institutionCalls } from "@arcada/contract/institution/institution.calls";
import type { Output } from "@arcada/contract/kernel/call";

export type Institution = Output<typeof institutionCalls.detail>;
/** The values of the settings form: an absent text is empty, and a coordinate is the text that was typed. */
export interface SettingsValues {
  name: string;
  address: string;
  contactPerson: string;
  contactWay: string;
  longitude: string;
  latitude: string;
  hidePatientNames: boolean;
  autoAcceptRelations: boolean;
  sharePhones: boolean;
  requireFactor: boolean;
  launchCreatesPatients: boolean;
  receiptDays: number | null;
  retentionYears: number | null;
  timeZone: string;
}

export const toValues = (one: Institution): SettingsValues => ({
  name: one.name,
  address: one.address ?? "",
  contactPerson: one.contactPerson ?? "",
  contactWay: one.contactWay ?? "",
  longitude: one.longitude?.toString() ?? "",
  latitude: one.latitude?.toString() ?? "",
  hidePatientNames: one.hidePatientNames,
  autoAcceptRelations: one.autoAcceptRelations,
  sharePhones: one.sharePhones,
  requireFactor: one.requireFactor,
  launchCreatesPatients: one.launchCreatesPatients,
  receiptDays: one.receiptDays,
  retentionYears: one.retentionYears,
  timeZone: one.timeZone,
});

export const toInput = ({ longitude, latitude, ...values }: SettingsValues) => ({
  name: values.name,
  hidePatientNames: values.hidePatientNames,
  autoAcceptRelations: values.autoAcceptRelations,
  sharePhones: values.sharePhones,
  requireFactor: values.requireFactor,
  launchCreatesPatients: values.launchCreatesPatients,
  receiptDays: values.receiptDays,
  retentionYears: values.retentionYears,
  timeZone: values.timeZone,
  address: values.address || null,
  contactPerson: values.contactPerson || null,
  contactWay: values.contactWay || null,
  longitude: parseCoordinate(longitude),
  latitude: parseCoordinate(latitude),
});

const parseCoordinate = (text: string): number | null => (text.trim() === "" ? null : Number(text));
