export interface Country {
  name: string;
  native: string;
  code: string;
  phoneCode: string;
}

/** The native name, or name and native name where they differ. */
export const formatCountry = ({ name, native }: Country): string => (name === native ? native : `${native} · ${name}`);
/** The country that a form preselects: China for Chinese, else the United States. */
export const getDefaultCountry = (language: string): string => (language === "zh" ? "CN" : "US");
