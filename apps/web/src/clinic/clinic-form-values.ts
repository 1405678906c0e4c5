import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { currentLanguage } from "../i18n/texts.ts";

/** The values of the clinic form, all as typed. */
export interface ClinicValues {
  name: string;
  country: string;
  province: string;
  city: string;
  address: string;
  leader: string;
  phoneArea: string;
  phone: string;
  alternateName: string;
  alternatePhone: string;
  setUpAt: string;
  longitude: string;
  latitude: string;
}

export const toValues = (clinic: ClinicDetail | null): ClinicValues => ({
  name: clinic?.name ?? "",
  country: clinic?.country ?? (currentLanguage() === "zh" ? "CN" : ""),
  province: clinic?.province ?? "",
  city: clinic?.city ?? "",
  address: clinic?.address ?? "",
  leader: clinic?.leader ?? "",
  phoneArea: clinic?.phoneArea ?? "",
  phone: clinic?.phone ?? "",
  alternateName: clinic?.alternateName ?? "",
  alternatePhone: clinic?.alternatePhone ?? "",
  setUpAt: clinic?.setUpAt ?? "",
  longitude: clinic?.longitude?.toString() ?? "",
  latitude: clinic?.latitude?.toString() ?? "",
});

export const toInput = ({ setUpAt, longitude, latitude, ...texts }: ClinicValues) => ({
  ...texts,
  ...(setUpAt && { setUpAt }),
  longitude: parseNumber(longitude),
  latitude: parseNumber(latitude),
});
/** Text that is not a number becomes NaN, which validation rejects beside the field. */
const parseNumber = (text: string): number | null => (text.trim() === "" ? null : Number(text));
