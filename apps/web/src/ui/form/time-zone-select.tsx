import { Select } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";

interface Props {
  label: string;
  description: string;
  /** Every zone with its current offset from UTC. */
  zones: readonly { value: string; label: string }[];
  value: string;
  onChange: (zone: string) => void;
  onBlur: () => void;
  error: string | undefined;
}

/** Selects a time zone, found by a part of its name or by its offset. */
export function TimeZoneSelect({ zones, onChange, ...rest }: Props) {
  const t = useTexts();
  return (
    <Select
      searchable
      openOnFocus={false}
      allowDeselect={false}
      nothingFoundMessage={t("common.nothingFound")}
      data={zones}
      onChange={(zone) => zone && onChange(zone)}
      // Above dialogs, one of which contains it.
      comboboxProps={{ zIndex: 400 }}
      {...rest}
    />
  );
}
