import { SegmentedControl } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import type { NameUnder } from "../../i18n/texts.ts";

interface Props<Scheme extends NameUnder<"common.tooth.scheme">> {
  schemes: readonly Scheme[];
  scheme: Scheme;
  onScheme: (scheme: Scheme) => void;
}

/** Selects the numbering scheme of teeth. */
export function ToothNotationSelect<Scheme extends NameUnder<"common.tooth.scheme">>({
  schemes,
  scheme,
  onScheme,
}: Props<Scheme>) {
  const t = useTexts();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("common.tooth.schemes")}
      data={schemes.map((value) => ({ value, label: t(`common.tooth.scheme.${value}`) }))}
      value={scheme}
      onChange={onScheme}
    />
  );
}
