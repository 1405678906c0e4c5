import { Select } from "@mantine/core";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";

interface Props {
  /** The name of its search parameter. */
  name: string;
  label: string;
  choices: { value: string; label: string }[];
}

/** One of several filters of the list; its value is stored in the page's address. */
export function FeedbackFilter({ name, label, choices }: Props) {
  const t = useTexts();
  const value = useSearchParams()[name];
  const setSearch = useSetSearchParams();
  const known = value === undefined || choices.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      placeholder={t("common.all")}
      clearable
      searchable={choices.length > 8}
      clearButtonProps={{ "aria-label": t("common.clear") }}
      data={known ? choices : [...choices, { value, label: value }]}
      value={value ?? null}
      onChange={(chosen) => setSearch({ [name]: chosen ?? undefined })}
    />
  );
}
